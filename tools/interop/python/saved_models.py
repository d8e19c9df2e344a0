"""saved_models.py FOLDER: writes SavedModels into FOLDER. Prints input records, and what TensorFlow computes from them, as JSON.

FOLDER/model has signatures for queries and for decoders. FOLDER/bad-* are models that data views must reject.
"""

import base64
import json
import os
import random
import sys

import tensorflow as tf

folder = sys.argv[1]
rng = random.Random(7)


def spec(shape, dtype, name):
    return tf.TensorSpec(shape, dtype, name=name)


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = tf.Variable([[3.0], [1.0], [-1.0]])
        words = tf.lookup.KeyValueTensorInitializer(tf.constant(["b", "\udcff".encode("utf-8", "surrogateescape")]), tf.constant([10, 2**40], tf.int64))
        self.words = tf.lookup.StaticHashTable(words, -1)

    @tf.function(
        input_signature=[
            spec([None, 1], tf.float32, "price"),
            spec([None, 2], tf.float32, "size"),
            spec([None, 1], tf.int64, "n"),
            spec([None, 1], tf.string, "sku"),
        ]
    )
    def score(self, price, size, n, sku):
        return {
            "score": tf.matmul(tf.concat([price, size], 1), self.weights) + 0.5,
            "next": n + 1,
            "text": tf.strings.join([sku, sku], "-"),
            "known": self.words.lookup(sku),
            "large": price > 5,
        }

    @tf.function(input_signature=[spec([None], tf.float32, "values"), spec([None], tf.int64, "splits")])
    def lengths(self, values, splits):
        sums = tf.concat([[0.0], tf.cumsum(values)], 0)
        return {"lengths": splits[1:] - splits[:-1], "sums": tf.gather(sums, splits[1:]) - tf.gather(sums, splits[:-1])}

    @tf.function(input_signature=[spec([None], tf.string, "records")])
    def decode(self, records):
        features = tf.io.parse_example(
            records,
            {
                "age": tf.io.FixedLenFeature([], tf.int64, -1),
                "point": tf.io.FixedLenFeature([2], tf.float32, [0.0, 0.0]),
                "tags": tf.io.RaggedFeature(tf.string),
                "clicks": tf.io.VarLenFeature(tf.int64),
            },
        )
        return {
            "age": features["age"],
            "point": features["point"],
            "tags_values": features["tags"].values,
            "tags_splits": features["tags"].row_splits,
            "clicks_indices": features["clicks"].indices,
            "clicks_values": features["clicks"].values,
            "clicks_shape": features["clicks"].dense_shape,
        }

    @tf.function(input_signature=[spec([None], tf.string, "records")])
    def words_of(self, records):
        """Splits records into words. Returns one row for each word, with the index of its record."""
        split = tf.raw_ops.StringSplitV2(input=records, sep="")
        rows = split.indices[:, 0]
        splits = tf.cumsum(tf.concat([tf.constant([0], tf.int64), tf.ones_like(rows)], 0))
        return {"word": split.values, "record_values": rows, "record_splits": splits}


def text(value):
    return base64.b64encode(value).decode()


def plain(tensor):
    values = tensor.numpy().reshape(-1).tolist()
    if tensor.dtype == tf.string:
        values = [text(value) for value in values]
    if tensor.dtype == tf.int64:
        values = [str(value) for value in values]
    return {"dtype": tensor.dtype.name, "shape": list(tensor.shape), "values": values}


def example(index):
    feature = {"clicks": tf.train.Feature(int64_list=tf.train.Int64List(value=[rng.randint(-(2**63), 2**63 - 1) for _ in range(index % 4)]))}
    if index % 3:
        feature["age"] = tf.train.Feature(int64_list=tf.train.Int64List(value=[2**53 + index]))
        feature["tags"] = tf.train.Feature(bytes_list=tf.train.BytesList(value=[bytes([index, 255])] * (index % 5)))
    if index % 2:
        feature["point"] = tf.train.Feature(float_list=tf.train.FloatList(value=[index, -index / 2]))
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def order(index):
    return [
        {
            "price": rng.randint(-40, 40) / 4,
            "size": [float(rng.randint(-9, 9)) for _ in range(rng.randint(0, 2))],
            "n": str(rng.choice([rng.randint(-(2**62), 2**62), -1, 2**31, 5])),
            "sku": text(rng.choice([b"", b"b", b"\xff", b"\x00\x80", "Stra\u00dfe".encode()])),
        }
        for _ in range(index % 4)
    ]


def write_bad_models():
    one = [spec([None, 1], tf.float32, "price")]

    def save(name, function, assets=None):
        module = tf.Module()
        module.assets = assets
        module.function = tf.function(function, input_signature=one)
        tf.saved_model.save(module, os.path.join(folder, f"bad-{name}"), signatures=module.function)

    written = os.path.join(folder, "written")

    def writes(price):
        with tf.control_dependencies([tf.io.write_file(written, "x")]):
            return {"score": tf.identity(price)}

    vocabulary = os.path.join(folder, "vocabulary.txt")
    with open(vocabulary, "w") as file:
        file.write("a\nb\n")
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.TextFileInitializer(vocabulary, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), 1
    )
    save("writes", writes)
    save("reads", lambda price: {"score": price + tf.strings.to_number(tf.io.read_file("/etc/hostname"))})
    save("loops", lambda price: {"score": tf.while_loop(lambda x: True, lambda x: x + 1, [price])[0]})
    save("python", lambda price: {"score": tf.py_function(lambda x: x, [price], tf.float32)})
    save("fills", lambda price: {"score": price + tf.reduce_sum(tf.fill([2**20, 2**20], 1.0))})
    save("random", lambda price: {"score": price + tf.random.normal([])})
    save("asset", lambda price: {"score": tf.cast(table.lookup(tf.strings.as_string(price)), tf.float32)}, table)
    save("double", lambda price: {"score": tf.cast(price, tf.float64)})
    save("branches", lambda price: {"score": tf.cond(price[0, 0] > 0, lambda: price, lambda: -price)})
    # This model has no signature at all, like one that TFX's save_decoder writes for a decoder without a record index.
    module = tf.Module()
    module.decode_fun = tf.function(lambda records: {"a": records}, input_signature=[spec([None], tf.string, "records")])
    tf.saved_model.save(module, os.path.join(folder, "bad-tfx"), signatures={})


model = Model()
signatures = {"serving_default": model.score, "lengths": model.lengths, "decode": model.decode, "words": model.words_of}
tf.saved_model.save(model, os.path.join(folder, "model"), signatures=signatures)
write_bad_models()

orders = [order(index) for index in range(40)]
items = [item for each in orders for item in each]
column = lambda values, dtype: tf.reshape(tf.constant(values, dtype), [len(items), -1])
padded = [(item["size"] + [0.0, 0.0])[:2] for item in items]
score = model.score(
    column([item["price"] for item in items], tf.float32),
    column(padded, tf.float32),
    column([int(item["n"]) for item in items], tf.int64),
    column([base64.b64decode(item["sku"]) for item in items], tf.string),
)
splits = [0]
for item in items:
    splits.append(splits[-1] + len(item["size"]))
lengths = model.lengths(tf.constant([value for item in items for value in item["size"]], tf.float32), tf.constant(splits, tf.int64))
examples = [example(index) for index in range(40)]
sentences = [b"", b"one", b"two words", b" ", b"and three more"]
print(
    json.dumps(
        {
            "orders": [{"item": each} for each in orders],
            "score": {name: plain(tensor) for name, tensor in score.items()},
            "lengths": {name: plain(tensor) for name, tensor in lengths.items()},
            "examples": [text(each) for each in examples],
            "decode": {name: plain(tensor) for name, tensor in model.decode(tf.constant(examples)).items()},
            "sentences": [text(each) for each in sentences],
            "words": {name: plain(tensor) for name, tensor in model.words_of(tf.constant(sentences)).items()},
        }
    )
)
