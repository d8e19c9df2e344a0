"""bsl_decode.py JOBS ANSWERS: decodes with tfx_bsl and prepares the results for a comparison with ours. Both files have one line
of JSON per job.

A job has either `records` in base64, or a `file` with the optional range of rows from `start` to `end` (exclusive). It may also
have a schema, and `tensors` to request tensors. The optional `ours` is the path of our batch in Arrow IPC. The optional
`encoded` has the records that our encoder made from that batch. The answer has tfx_bsl's batch as `theirs`, our batch as `ours`,
the message of pyarrow's validation of our batch as `fault`, the records of both encoders as `encoded`, and `tensors`. A part that
tfx_bsl rejects is {"error"}. A job with `count` only counts the records of a file.
"""

import json
import sys

import tensorflow as tf
from tfx_bsl.coders.example_coder import RecordBatchToExamplesEncoder
from tfx_bsl.tfxio.tensor_adapter import TensorAdapter, TensorAdapterConfig
from tfx_bsl.tfxio.tensor_representation_util import InferTensorRepresentationsFromMixedSchema

import bsl_answers as answers
import bsl_bits as bits
import bsl_inputs as inputs
from bsl_coder_ops import canonical, decoder

GZIP = b"\x1f\x8b"
files = {}


def compression(path):
    with open(path, "rb") as file:
        head = file.read(8)
    if head[:2] == GZIP:
        return "GZIP"
    # A TFRecord begins with its length as a little-endian uint64, whose upper four bytes are 0.
    return "ZLIB" if head[0] == 0x78 and head[4:] != bytes(4) else ""


def file_records(path):
    if path not in files:
        files.clear()
        files[path] = list(tf.data.TFRecordDataset(path, compression_type=compression(path)).as_numpy_iterator())
    return files[path]


def records_of(job):
    if "records" in job:
        return [inputs.from_base64(each) for each in job["records"]]
    return file_records(job["file"])[job.get("start", 0) : job.get("end")]


def answer_of(ask):
    try:
        return ask()
    except (ValueError, RuntimeError, TypeError, NotImplementedError, tf.errors.OpError) as error:
        return {"error": f"{type(error).__name__}: {error}"}


def tensors_of(job_decoder, schema, batch):
    representations = InferTensorRepresentationsFromMixedSchema(schema)
    adapter = TensorAdapter(TensorAdapterConfig(job_decoder.ArrowSchema(), representations))
    return answers.tensors_json(adapter.ToBatchTensors(batch))


def decode(job):
    if "count" in job:
        return {"theirs": answer_of(lambda: {"rows": len(file_records(job["file"]))})}
    schema = inputs.schema(job)
    answer = {}

    def theirs():
        made = decoder(schema, job.get("sequence_column"))
        batch = made.DecodeBatch(records_of(job))
        if job.get("tensors"):
            answer["tensors"] = answer_of(lambda: tensors_of(made, schema, batch))
        return bits.batch_bits(batch)

    answer["theirs"] = answer_of(theirs)
    if "ours" not in job:
        return answer
    batch = bits.read_batch(job["ours"])
    # Validation must come before `batch_bits`. That call makes pyarrow recount the nulls, which would hide a wrong null count.
    answer["fault"] = bits.fault_of(batch)
    answer["ours"] = bits.batch_bits(batch)
    if "encoded" in job:
        answer["encoded"] = {
            "ours": canonical([inputs.from_base64(each) for each in job["encoded"]]),
            "theirs": answer_of(lambda: canonical(RecordBatchToExamplesEncoder(None).encode(batch))),
        }
    return answer


with open(sys.argv[1]) as jobs, open(sys.argv[2], "w") as out:
    for line in jobs:
        out.write(json.dumps(decode(json.loads(line))) + "\n")
print("null")
