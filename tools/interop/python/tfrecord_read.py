"""tfrecord_read.py FILE COMPRESSION: the tf.Examples of a file, as TensorFlow reads them."""

import json
import sys

import tensorflow as tf

from rows import encode_bytes, float_bits

KINDS = {
    "int64_list": lambda feature: {"int64": [str(value) for value in feature.int64_list.value]},
    "float_list": lambda feature: {"float": float_bits(feature.float_list.value)},
    "bytes_list": lambda feature: {"bytes": encode_bytes(feature.bytes_list.value)},
}


def row(record):
    features = tf.train.Example.FromString(record).features.feature
    kinds = {name: feature.WhichOneof("kind") for name, feature in features.items()}
    return {name: KINDS[kind](features[name]) for name, kind in kinds.items() if kind}


path, compression = sys.argv[1:]
dataset = tf.data.TFRecordDataset(path, compression_type=compression)
print(json.dumps([row(record) for record in dataset.as_numpy_iterator()]))
