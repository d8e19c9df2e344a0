"""tfrecord_write.py ROWS FILE COMPRESSION: writes tf.Examples with TensorFlow. ROWS is a JSON file with rows in the form of
src/example-rows.ts."""

import json
import sys

import tensorflow as tf

from features import features_of

rows, path, compression = sys.argv[1:]
with open(rows) as file, tf.io.TFRecordWriter(path, compression) as writer:
    examples = json.load(file)
    for row in examples:
        writer.write(tf.train.Example(features=features_of(row)).SerializeToString())
print(len(examples))
