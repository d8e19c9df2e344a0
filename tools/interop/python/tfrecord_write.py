"""tfrecord_write.py ROWS FILE COMPRESSION: writes rows, a JSON file, as TensorFlow writes tf.Examples."""

import json
import sys

import tensorflow as tf

from rows import bits_floats, decode_bytes


def feature(values):
    if "int64" in values:
        return tf.train.Feature(int64_list=tf.train.Int64List(value=map(int, values["int64"])))
    if "float" in values:
        return tf.train.Feature(float_list=tf.train.FloatList(value=bits_floats(values["float"])))
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=decode_bytes(values["bytes"])))


rows, path, compression = sys.argv[1:]
with open(rows) as file, tf.io.TFRecordWriter(path, compression) as writer:
    examples = json.load(file)
    for row in examples:
        features = tf.train.Features(feature={name: feature(values) for name, values in row.items()})
        writer.write(tf.train.Example(features=features).SerializeToString())
print(len(examples))
