"""parse_example.py FILE: parses the rows of src/example-rows.ts with tf.io.parse_example, and prints the tensors as JSON."""

import json
import sys

import tensorflow as tf

from rows import encode_bytes, float_bits

records = list(tf.data.TFRecordDataset(sys.argv[1]).as_numpy_iterator())
parsed = tf.io.parse_example(
    records,
    {
        "pair": tf.io.FixedLenFeature([2], tf.float32, default_value=[0.5, 0.5]),
        "price": tf.io.VarLenFeature(tf.float32),
        "clicks": tf.io.VarLenFeature(tf.int64),
        "title": tf.io.RaggedFeature(tf.string, row_splits_dtype=tf.int32),
    },
)


def sparse(tensor, values):
    shape = tensor.dense_shape.numpy().tolist()
    return {"indices": tensor.indices.numpy().flatten().tolist(), "values": values, "denseShape": shape}


pair, price, clicks, title = (parsed[name] for name in ("pair", "price", "clicks", "title"))
print(
    json.dumps(
        {
            "pair": {"shape": pair.shape.as_list(), "values": float_bits(pair.numpy().flatten())},
            "price": sparse(price, float_bits(price.values.numpy())),
            "clicks": sparse(clicks, [str(value) for value in clicks.values.numpy()]),
            "title": {
                "rowSplits": [title.row_splits.numpy().tolist()],
                "values": encode_bytes(title.values.numpy()),
            },
        }
    )
)
