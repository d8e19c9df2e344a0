"""beam_read.py JOB_ENDPOINT EXPANSION_ENDPOINT ROWS ORDERS DATA_VIEW: runs Python pipelines that read through our transforms.

Prints a JSON object. "batches" summarizes the ids in ROWS, and "records" summarizes the lengths of its records. "query"
summarizes the ids that the saved query in the folder DATA_VIEW finds in ORDERS. A summary has the count, the number of distinct
values and the sum. "failure" is the error message of a pipeline that reads a missing file.
"""
import base64
import json
import logging
import os
import pathlib
import sys
import tempfile

logging.disable(logging.CRITICAL)

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.transforms.external import ExternalTransform


def ids_of_batch(data):
    import pyarrow

    with pyarrow.ipc.open_stream(data) as reader:
        for batch in reader:
            for values in batch.column("id").to_pylist():
                yield values[0]


def total(ids):
    ids = list(ids)
    return {"count": len(ids), "distinct": len(set(ids)), "sum": sum(ids)}


def run(job_endpoint, expansion, urn, configuration, to_ids):
    output = os.path.join(tempfile.mkdtemp(), "total")
    options = PipelineOptions(
        runner="PortableRunner", job_endpoint=job_endpoint, environment_type="LOOPBACK"
    )
    with beam.Pipeline(options=options) as pipeline:
        (
            pipeline
            | ExternalTransform(urn, json.dumps(configuration).encode(), expansion)
            | beam.FlatMap(to_ids)
            | beam.Map(lambda id: (None, id))
            | beam.GroupByKey()
            | beam.MapTuple(lambda _, ids: json.dumps(total(ids)))
            | beam.io.WriteToText(output, shard_name_template="")
        )
    with open(output) as file:
        return json.load(file)


def failure(job_endpoint, expansion):
    try:
        run(job_endpoint, expansion, "tfxio:transform:read:v1", {"sources": "/none/rows.tfrecord"}, ids_of_batch)
    except Exception as error:
        return str(error)
    return ""


job_endpoint, expansion, sources, orders, data_view = sys.argv[1:]
configuration = {"sources": sources, "inferSchema": "full", "columns": ["id"], "unitBytes": 1_000_000}
records = {"sources": sources, "unitBytes": 1_000_000}
files = {file.name: base64.b64encode(file.read_bytes()).decode() for file in pathlib.Path(data_view).iterdir()}
query = {"sources": orders, "dataView": files, "columns": ["id"], "unitBytes": 500_000}
print(
    json.dumps(
        {
            "batches": run(job_endpoint, expansion, "tfxio:transform:read:v1", configuration, ids_of_batch),
            "records": run(
                job_endpoint, expansion, "tfxio:transform:read_records:v1", records, lambda record: [len(record)]
            ),
            "query": run(job_endpoint, expansion, "tfxio:transform:read:v1", query, ids_of_batch),
            "failure": failure(job_endpoint, expansion),
        }
    )
)
