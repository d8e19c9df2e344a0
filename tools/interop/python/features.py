"""Converts between TensorFlow's features and the JSON of src/example-rows.ts."""

import tensorflow as tf

from rows import bits_floats, decode_bytes, encode_bytes, float_bits

KINDS = {
    "int64_list": lambda feature: {"int64": [str(value) for value in feature.int64_list.value]},
    "float_list": lambda feature: {"float": float_bits(feature.float_list.value)},
    "bytes_list": lambda feature: {"bytes": encode_bytes(feature.bytes_list.value)},
}


def feature_json(feature):
    kind = feature.WhichOneof("kind")
    return KINDS[kind](feature) if kind else None


def row_json(features):
    found = {name: feature_json(feature) for name, feature in features.feature.items()}
    return {name: values for name, values in found.items() if values is not None}


def feature_of(values):
    if values is None:
        return tf.train.Feature()
    if "int64" in values:
        return tf.train.Feature(int64_list=tf.train.Int64List(value=map(int, values["int64"])))
    if "float" in values:
        return tf.train.Feature(float_list=tf.train.FloatList(value=bits_floats(values["float"])))
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=decode_bytes(values["bytes"])))


def features_of(row):
    return tf.train.Features(feature={name: feature_of(values) for name, values in row.items()})
