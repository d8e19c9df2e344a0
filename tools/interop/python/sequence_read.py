"""sequence_read.py FILE: reads tf.SequenceExamples with TensorFlow, and prints them in the JSON form that
src/sequence-rows.ts defines."""

import json
import sys

import tensorflow as tf

from features import feature_json, row_json


def row(record):
    example = tf.train.SequenceExample.FromString(record)
    lists = example.feature_lists.feature_list.items()
    return {
        "context": row_json(example.context),
        "lists": {name: [feature_json(step) for step in steps.feature] for name, steps in lists},
    }


print(json.dumps([row(record) for record in tf.data.TFRecordDataset(sys.argv[1]).as_numpy_iterator()]))
