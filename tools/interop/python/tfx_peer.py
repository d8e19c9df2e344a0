"""Runs TFX's code on the artifacts of the store in the SQLite file FILE, and prints the results as JSON.

tfx_peer.py resolve FILE CASES: resolves the lists of Examples in the JSON file CASES.
tfx_peer.py bind FILE EXAMPLES VIEW: binds the Examples with id EXAMPLES to the DataView with id VIEW.
tfx_peer.py latest FILE COUNTS: prints the ids that TFX's resolvers choose for each number in the JSON list COUNTS.
tfx_peer.py types: prints the artifact types Examples and DataView.
"""

import json
import logging
import sys

from google.protobuf import json_format
from ml_metadata.metadata_store import metadata_store
from ml_metadata.proto import metadata_store_pb2 as pb
from tfx.components.experimental.data_view import binder_executor
from tfx.components.util import tfxio_utils
from tfx.dsl.input_resolution.ops import latest_create_time_op, latest_span_op
from tfx.types import artifact_utils, standard_artifacts

logging.disable(logging.CRITICAL)
command, *rest = sys.argv[1:]


def artifacts():
    """Returns the artifacts of the store by id, in the form in which TFX's components get them."""
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = rest[0]
    store = metadata_store.MetadataStore(config)
    types = {type_.id: type_ for type_ in store.get_artifact_types()}
    return {a.id: artifact_utils.deserialize_artifact(types[a.type_id], a) for a in store.get_artifacts()}


def recorder(reader):
    """Returns a stand-in for a class of tfx_bsl. Calling it returns the arguments that TFX passes to the constructor."""
    return lambda file_pattern, saved_decoder_path=None, raw_record_column_name=None, **_: {
        "reader": reader,
        "patterns": file_pattern,
        "view": saved_decoder_path,
        "rawColumn": raw_record_column_name,
    }


def resolve():
    tfxio_utils.tf_example_record.TFExampleRecord = recorder("TFExampleRecord")
    tfxio_utils.tf_sequence_example_record.TFSequenceExampleRecord = recorder("TFSequenceExampleRecord")
    tfxio_utils.parquet_tfxio.ParquetTFXIO = recorder("Parquet")
    tfxio_utils.record_to_tensor_tfxio.TFRecordToTensorTFXIO = recorder("TFRecordToTensor")
    tfxio_utils.raw_tf_record.RawTfRecordTFXIO = recorder("RawTfRecord")
    known, answers = artifacts(), []
    for case in json.load(open(rest[1])):
        try:
            answers.append(
                tfxio_utils.get_split_tfxio(
                    [known[id] for id in case["ids"]],
                    case["split"],
                    ["test"],
                    read_as_raw_records=case["readAsRaw"],
                    raw_record_column_name=case["rawColumn"],
                )
            )
        except (AssertionError, ValueError, NotImplementedError) as error:
            answers.append({"rejected": f"{type(error).__name__}: {error}"})
    return answers


def bind():
    known = artifacts()
    output = standard_artifacts.Examples()
    inputs = {"input_examples": [known[int(rest[1])]], "data_view": [known[int(rest[2])]]}
    binder_executor.DataViewBinderExecutor().Do(inputs, {"output_examples": [output]}, {})
    message = json_format.MessageToDict(output.mlmd_artifact, preserving_proto_field_name=True)
    return {key: message.get(key, {}) for key in ("uri", "properties", "custom_properties")}


def latest():
    """Returns, for each n in COUNTS, the ids that TFX's resolvers choose: the n newest artifacts, and all versions of the n
    latest spans."""
    known = [artifact for artifact in artifacts().values() if artifact.type_name == "Examples"]
    return [
        {
            "created": sorted(a.id for a in latest_create_time_op.LatestCreateTime.create(n=n).apply(list(known))),
            "spans": sorted(
                a.id for a in latest_span_op.LatestSpan.create(n=n, keep_all_versions=True).apply(list(known))
            ),
        }
        for n in json.loads(rest[1])
    ]


def types():
    found = [kind._get_artifact_type() for kind in (standard_artifacts.Examples, standard_artifacts.DataView)]
    return [json_format.MessageToDict(type_, preserving_proto_field_name=True) for type_ in found]


print(json.dumps({"resolve": resolve, "bind": bind, "latest": latest, "types": types}[command]()))
