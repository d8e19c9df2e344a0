"""tfrecord_write.py ROWS FILE COMPRESSION: writes rows, a JSON file, as TensorFlow writes tf.Examples."""

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
