"""tfrecord_read.py FILE COMPRESSION: reads tf.Examples with TensorFlow, and prints them as JSON in the form of
src/example-rows.ts."""

import json
import sys

import tensorflow as tf

from features import row_json

path, compression = sys.argv[1:]
dataset = tf.data.TFRecordDataset(path, compression_type=compression)
print(json.dumps([row_json(tf.train.Example.FromString(record).features) for record in dataset.as_numpy_iterator()]))
