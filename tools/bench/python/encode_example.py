"""Encodes rows with tf.train.Example for `pnpm bench encode`.

First prints {"version"} on stdout. Then answers each line of JSON on stdin with a line of JSON on stdout. The answer to
{"do": "run", "path", "columns"} is {"seconds"}: the time to build and serialize an Example for every record in the file. The
values are in Python lists before the clock starts. If "do" is "write", the encoded records are written as TFRecords to the path
in "target", and the answer is {}.
"""

import functools
import json
import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import google.protobuf
import tensorflow as tf
from google.protobuf.internal import api_implementation

LISTS = {"bytes": "bytes_list", "float": "float_list", "int64": "int64_list"}


@functools.lru_cache(maxsize=2)
def rows_of(path, columns):
    rows = []
    for record in tf.data.TFRecordDataset(path).as_numpy_iterator():
        feature = tf.train.Example.FromString(record).features.feature
        row = []
        for column in json.loads(columns):
            name, kind = column["name"], LISTS[column["kind"]]
            present = name in feature and feature[name].HasField(kind)
            row.append((name, kind, list(getattr(feature[name], kind).value) if present else None))
        rows.append(row)
    return rows


def encode(row):
    example = tf.train.Example()
    features = example.features.feature
    for name, kind, values in row:
        feature = features[name]
        if values is None:
            continue
        target = getattr(feature, kind)
        if values:
            target.value.extend(values)
        else:
            target.SetInParent()
    return example.SerializeToString()


def main():
    version = f"{tf.__version__}, protobuf {google.protobuf.__version__} ({api_implementation.Type()})"
    print(json.dumps({"version": version}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        rows = rows_of(request["path"], json.dumps(request["columns"]))
        answer = {}
        if request["do"] == "run":
            start = time.perf_counter()
            for row in rows:
                encode(row)
            answer["seconds"] = time.perf_counter() - start
        else:
            with tf.io.TFRecordWriter(request["target"]) as writer:
                for row in rows:
                    writer.write(encode(row))
        print(json.dumps(answer), flush=True)


main()
