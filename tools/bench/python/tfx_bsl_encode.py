"""Encodes record batches with tfx_bsl's encoder for `pnpm bench encode`.

First prints {"version"} on stdout. Then answers each line of JSON on stdin with a line of JSON on stdout. The answer to
{"do": "run", "path", "columns"} is {"seconds"}: the time to encode the record batches of the file. The batches are decoded
before the clock starts. If "do" is "write", the encoded records are written as TFRecords to the path in "target", and the
answer is {}.
"""

import functools
import json
import os
import platform
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import pyarrow as pa
import tensorflow as tf
import tfx_bsl
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.coders.example_coder import RecordBatchToExamplesEncoder
from tfx_bsl.tfxio.dataset_options import RecordBatchesOptions
from tfx_bsl.tfxio.tf_example_record import TFExampleRecord

BATCH_ROWS = 4096
TYPES = {"bytes": schema_pb2.BYTES, "float": schema_pb2.FLOAT, "int64": schema_pb2.INT}


@functools.lru_cache(maxsize=2)
def batches_of(path, columns):
    schema = schema_pb2.Schema()
    for column in json.loads(columns):
        schema.feature.add(name=column["name"], type=TYPES[column["kind"]])
    tfxio = TFExampleRecord(path, schema=schema, telemetry_descriptors=["bench"])
    return list(tfxio.RecordBatches(RecordBatchesOptions(BATCH_ROWS, num_epochs=1, shuffle=False)))


def main():
    version = f"{tfx_bsl.__version__}, pyarrow {pa.__version__}, Python {platform.python_version()}"
    print(json.dumps({"version": version}), flush=True)
    encoder = RecordBatchToExamplesEncoder()
    for line in sys.stdin:
        request = json.loads(line)
        batches = batches_of(request["path"], json.dumps(request["columns"]))
        answer = {}
        if request["do"] == "run":
            start = time.perf_counter()
            for batch in batches:
                encoder.encode(batch)
            answer["seconds"] = time.perf_counter() - start
        else:
            with tf.io.TFRecordWriter(request["target"]) as writer:
                for batch in batches:
                    for record in encoder.encode(batch):
                        writer.write(record)
        print(json.dumps(answer), flush=True)


main()
