"""parse_sequence_example.py FILE: parses the rows of src/sequence-rows.ts with tf.io.parse_sequence_example, and prints the
tensors as JSON."""

import json
import sys

import tensorflow as tf

from rows import encode_bytes, float_bits

records = list(tf.data.TFRecordDataset(sys.argv[1]).as_numpy_iterator())
context, lists, _ = tf.io.parse_sequence_example(
    records,
    context_features={
        "length": tf.io.FixedLenFeature([], tf.int64, default_value=7),
        "tags": tf.io.VarLenFeature(tf.string),
    },
    sequence_features={
        "clicks": tf.io.RaggedFeature(tf.int64, row_splits_dtype=tf.int32),
        "points": tf.io.RaggedFeature(tf.float32, row_splits_dtype=tf.int32),
        "prices": tf.io.RaggedFeature(tf.float32, row_splits_dtype=tf.int32),
        "words": tf.io.RaggedFeature(tf.string, row_splits_dtype=tf.int32),
    },
)


def ragged(tensor, convert):
    splits = [each.numpy().tolist() for each in tensor.nested_row_splits]
    return {"rowSplits": splits, "values": convert(tensor.flat_values.numpy())}


def exact(values):
    return [str(value) for value in values]


length, tags = context["length"], context["tags"]
print(
    json.dumps(
        {
            "length": {"shape": length.shape.as_list(), "values": exact(length.numpy())},
            "tags": {
                "indices": tags.indices.numpy().flatten().tolist(),
                "values": encode_bytes(tags.values.numpy()),
                "denseShape": tags.dense_shape.numpy().tolist(),
            },
            "clicks": ragged(lists["clicks"], exact),
            "points": ragged(lists["points"], float_bits),
            "prices": ragged(lists["prices"], float_bits),
            "words": ragged(lists["words"], encode_bytes),
        }
    )
)
