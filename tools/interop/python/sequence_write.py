"""sequence_write.py ROWS FILE: writes tf.SequenceExamples with TensorFlow. ROWS is a JSON file with rows in the form of
src/sequence-rows.ts."""

import json
import sys

import tensorflow as tf

from features import feature_of, features_of


def example(row):
    lists = {
        name: tf.train.FeatureList(feature=[feature_of(step) for step in steps]) for name, steps in row["lists"].items()
    }
    return tf.train.SequenceExample(
        context=features_of(row["context"]), feature_lists=tf.train.FeatureLists(feature_list=lists)
    )


rows, path = sys.argv[1:]
with open(rows) as file, tf.io.TFRecordWriter(path) as writer:
    examples = json.load(file)
    for each in examples:
        writer.write(example(each).SerializeToString())
print(len(examples))
