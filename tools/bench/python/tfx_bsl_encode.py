"""tfx_bsl's encoder as a subject of `pnpm bench encode`.

Answers each line of JSON on stdin with a line of JSON on stdout. First comes {"version"}, unasked; then
{"do": "run", "path", "columns"} gives {"seconds"}: encoding the record batches of the file, which are in
memory by then; "write" writes the records as TFRecords to "target".
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
