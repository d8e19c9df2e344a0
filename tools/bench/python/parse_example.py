"""Decodes TFRecord files with TensorFlow's parser for `pnpm bench decode`.

First prints {"version"} on stdout. Then answers each line of JSON on stdin with a line of JSON on stdout. The answer to
{"do": "run", "path", "columns", "fixed"} is {"seconds", "numRows"}. The answer to "digest" has the fields of DecodeDigest.
"""

import functools
import json
import os
import sys
import time
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf

BATCH_ROWS = 4096
DTYPES = {"bytes": tf.string, "float": tf.float32, "int64": tf.int64}

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


def feature_spec(columns, fixed):
    spec = {}
    for column in columns:
        dtype = DTYPES[column["kind"]]
        if fixed:
            spec[column["name"]] = tf.io.FixedLenFeature([column["fixedLength"]], dtype)
        else:
            spec[column["name"]] = tf.io.RaggedFeature(dtype, value_key=column["name"])
    return spec


@functools.lru_cache(maxsize=4)
def parsed(path, columns, fixed):
    spec = feature_spec(json.loads(columns), fixed)
    dataset = tf.data.TFRecordDataset(path).batch(BATCH_ROWS)
    dataset = dataset.map(lambda records: tf.io.parse_example(records, spec))
    options = tf.data.Options()
    options.threading.private_threadpool_size = 1
    options.threading.max_intra_op_parallelism = 1
    return dataset.with_options(options)


def run(dataset):
    start = time.perf_counter()
    rows = 0
    for batch in dataset:
        rows += int(next(iter(batch.values())).shape[0])
    return {"seconds": time.perf_counter() - start, "numRows": rows}


def digest(dataset, columns):
    totals = {
        column["name"]: {"name": column["name"], "numValues": 0, "numBytes": 0,
                         "lengthsCrc": 0, "valueLengthsCrc": 0, "valuesCrc": 0}
        for column in columns
    }
    rows = 0
    for batch in dataset:
        rows += int(next(iter(batch.values())).shape[0])
        for column in columns:
            total, tensor = totals[column["name"]], batch[column["name"]]
            if isinstance(tensor, tf.RaggedTensor):
                lengths, values = tensor.row_lengths().numpy(), tensor.flat_values.numpy()
            else:
                values = tensor.numpy()
                lengths = np.full(values.shape[0], values.shape[1])
                values = values.reshape(-1)
            total["numValues"] += len(values)
            total["lengthsCrc"] = zlib.crc32(lengths.astype("<i4").tobytes(), total["lengthsCrc"])
            if column["kind"] == "bytes":
                sizes = np.array([len(value) for value in values], "<i4")
                total["valueLengthsCrc"] = zlib.crc32(sizes.tobytes(), total["valueLengthsCrc"])
                payload = b"".join(values)
            else:
                payload = values.tobytes()
            total["numBytes"] += len(payload)
            total["valuesCrc"] = zlib.crc32(payload, total["valuesCrc"])
    return {"numRows": rows, "columns": list(totals.values())}


def main():
    print(json.dumps({"version": tf.__version__}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        dataset = parsed(request["path"], json.dumps(request["columns"]), request["fixed"])
        answer = run(dataset) if request["do"] == "run" else digest(dataset, request["columns"])
        print(json.dumps(answer), flush=True)


main()
