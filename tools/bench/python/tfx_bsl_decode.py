"""Decodes with tfx_bsl's decoders for `pnpm bench decode`.

First prints {"version"} on stdout. Then answers each line of JSON on stdin with a line of JSON on stdout. The answer to
{"do": "run", "path", "columns", "sequenceColumns", "batchRows", "source"} is {"seconds", "numRows", "minorFaults"}. The
answer to "digest" has the fields of DecodeDigest. If "source" is "memory", the decoders get lists of records that exist
before the clock starts. If it is "file", TFExampleRecord.RecordBatches reads the TFRecord file without Beam.
TFSequenceExampleRecord has no such method, so SequenceExamples are read by a TFRecordDataset and the decoder.
"""

import functools
import itertools
import json
import os
import platform
import resource
import struct
import sys
import time
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import pyarrow as pa
import tensorflow as tf
import tfx_bsl
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.coders.example_coder import ExamplesToRecordBatchDecoder
from tfx_bsl.coders.sequence_example_coder import SequenceExamplesToRecordBatchDecoder
from tfx_bsl.tfxio.dataset_options import RecordBatchesOptions
from tfx_bsl.tfxio.tf_example_record import TFExampleRecord

SEQUENCE = "##SEQUENCE##"
TYPES = {"bytes": schema_pb2.BYTES, "float": schema_pb2.FLOAT, "int64": schema_pb2.INT}

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


def schema_of(request):
    schema = schema_pb2.Schema()
    for column in request["columns"]:
        schema.feature.add(name=column["name"], type=TYPES[column["kind"]])
    if request.get("sequenceColumns"):
        lists = schema.feature.add(name=SEQUENCE, type=schema_pb2.STRUCT)
        for column in request["sequenceColumns"]:
            lists.struct_domain.feature.add(name=column["name"], type=TYPES[column["kind"]])
    return schema


def decoder_of(request):
    serialized = schema_of(request).SerializeToString()
    if request.get("sequenceColumns"):
        return SequenceExamplesToRecordBatchDecoder(SEQUENCE, serialized)
    return ExamplesToRecordBatchDecoder(serialized)


@functools.lru_cache(maxsize=2)
def records_of(path):
    records = []
    with open(path, "rb") as file:
        while head := file.read(12):
            records.append(file.read(struct.unpack_from("<Q", head)[0]))
            file.seek(4, os.SEEK_CUR)
    return records


def lists_of(request):
    records, start = records_of(request["path"]), 0
    for rows in itertools.cycle(request["batchRows"]):
        if start >= len(records):
            return
        yield records[start : start + rows]
        start += rows


def batches_in_file(request):
    (rows,) = request["batchRows"]
    if request.get("sequenceColumns"):
        decoder = decoder_of(request)
        for records in tf.data.TFRecordDataset(request["path"]).batch(rows).as_numpy_iterator():
            yield decoder.DecodeBatch(records)
    else:
        tfxio = TFExampleRecord(request["path"], schema=schema_of(request), telemetry_descriptors=["bench"])
        yield from tfxio.RecordBatches(RecordBatchesOptions(rows, num_epochs=1, shuffle=False))


def open_batches(request):
    """Does the work that is not timed, and returns a function that yields the decoded batches of one pass."""
    if request["source"] == "file":
        return lambda: batches_in_file(request)
    decoder, lists = decoder_of(request), list(lists_of(request))
    return lambda: map(decoder.DecodeBatch, lists)


def run(decode):
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    start = time.perf_counter()
    rows = 0
    for batch in decode():
        rows += batch.num_rows
    seconds = time.perf_counter() - start
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
    return {"seconds": seconds, "numRows": rows, "minorFaults": faults}


def offsets_of(array):
    dtype = "<i8" if pa.types.is_large_list(array.type) or pa.types.is_large_binary(array.type) else "<i4"
    return np.frombuffer(array.buffers()[1], dtype)[array.offset : array.offset + len(array) + 1]


def crc_of(offsets, crc):
    return zlib.crc32(np.diff(offsets).astype("<i4").tobytes(), crc)


def add_list(total, array):
    """Adds a list array to the fingerprint `total`. Null lists count as lists without values."""
    offsets = offsets_of(array)
    values = array.values.slice(offsets[0], offsets[-1] - offsets[0])
    total["numNulls"] += array.null_count
    total["numValues"] += len(values)
    total["lengthsCrc"] = crc_of(offsets, total["lengthsCrc"])
    if pa.types.is_large_binary(values.type) or pa.types.is_binary(values.type):
        bounds = offsets_of(values)
        total["valueLengthsCrc"] = crc_of(bounds, total["valueLengthsCrc"])
        payload = memoryview(values.buffers()[2] or b"")[bounds[0] : bounds[-1]]
    else:
        payload = memoryview(np.ascontiguousarray(values.to_numpy(zero_copy_only=False))).cast("B")
    total["numBytes"] += len(payload)
    total["valuesCrc"] = zlib.crc32(payload, total["valuesCrc"])


def digest(decode, request):
    empty = {"numNulls": 0, "numValues": 0, "numBytes": 0, "lengthsCrc": 0, "valueLengthsCrc": 0, "valuesCrc": 0}
    context = [{"name": column["name"], **empty} for column in request["columns"]]
    lists = [{"name": column["name"], **empty, "stepsCrc": 0} for column in request.get("sequenceColumns") or []]
    rows = 0
    for batch in decode():
        rows += batch.num_rows
        for total in context:
            add_list(total, batch.column(batch.schema.get_field_index(total["name"])))
        for total in lists:
            steps = batch.column(batch.schema.get_field_index(SEQUENCE)).field(total["name"])
            offsets = offsets_of(steps)
            total["stepsCrc"] = crc_of(offsets, total["stepsCrc"])
            total["numNulls"] += steps.null_count
            add_list(total, steps.values.slice(offsets[0], offsets[-1] - offsets[0]))
    return {"numRows": rows, "columns": context + lists}


def main():
    version = f"{tfx_bsl.__version__}, pyarrow {pa.__version__}, Python {platform.python_version()}"
    print(json.dumps({"version": version}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        decode = open_batches(request)
        answer = run(decode) if request["do"] == "run" else digest(decode, request)
        print(json.dumps(answer), flush=True)


main()
