"""Runs the cases of the tensor_representation_util vectors with tfx_bsl."""

import numpy as np
import tensorflow as tf
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.tfxio import tensor_representation_util as util

import bsl_answers as answers
import bsl_inputs as inputs


def feature_json(feature):
    json = {"kind": type(feature).__name__, "dtype": feature.dtype.name}
    if json["kind"] == "FixedLenFeature":
        default = feature.default_value
        values = None if default is None else answers.elements_json(np.array(default, dtype=object), json["dtype"])
        return json | {"shape": list(feature.shape), "default_value": values}
    if json["kind"] == "SparseFeature":
        listed = lambda value: list(value) if isinstance(value, (list, tuple)) else [value]
        return json | {
            "index_key": listed(feature.index_key),
            "value_key": feature.value_key,
            "size": listed(feature.size),
            "already_sorted": feature.already_sorted,
        }
    if json["kind"] == "RaggedFeature":
        return json | {
            "value_key": feature.value_key,
            "partitions": [partition_json(each) for each in feature.partitions],
            "row_splits_dtype": feature.row_splits_dtype.name,
        }
    return json


def partition_json(partition):
    if isinstance(partition, tf.io.RaggedFeature.RowLengths):
        return {"row_lengths": partition.key}
    return {"uniform_row_length": partition.length}


def inferred(name, given, want):
    schema = inputs.schema(given)
    found = getattr(util, name)(schema)
    for other in want.get("same_for", []):
        if getattr(util, other)(schema) != found:
            raise ValueError(f"{other} must return the same representations as {name}, but they differ")
    same = {"same_for": want["same_for"]} if "same_for" in want else {}
    return {"tensor_representations": answers.representations_json(found), **same}


def parser_config(given, want):
    feature_type = schema_pb2.FeatureType.Value(given["feature_type"])
    config = util.CreateTfExampleParserConfig(inputs.representation(given["tensor_representation"]), feature_type)
    if "parsed" not in want:
        return {"feature": feature_json(config)}
    sample = inputs.from_base64(given["sample_example_b64"])
    parsed = tf.io.parse_single_example(sample, {"feat": config})["feat"]
    return {"feature": feature_json(config), "parsed": answers.tensor_json(parsed)}


def sequence_parser_config(given, want):
    configs = zip(("context", "sequence"), util.CreateTfSequenceExampleParserConfig(inputs.schema(given)))
    return {part: {name: feature_json(each) for name, each in config.items()} for part, config in configs}


def projected(given, want):
    schema = util.ProjectTensorRepresentationsInSchema(inputs.schema(given), given["tensor_names"])
    return {"schema_b64": answers.to_base64(schema.SerializeToString())}


def validated(given, want):
    util.ValidateTensorRepresentationsInSchema(inputs.schema(given), given["group"])
    return {"ok": True}


def source_columns(given, want):
    paths = util.GetSourceColumnsFromTensorRepresentation(inputs.representation(given["tensor_representation"]))
    return {"paths": [list(path.steps()) for path in paths]}


def source_value_column(given, want):
    given = inputs.representation(given["tensor_representation"])
    return {"path": list(util.GetSourceValueColumnFromTensorRepresentation(given).steps())}


def with_profile(op):
    """Runs `op` with the legacy rules if the case requests them.

    tfx_bsl contains both sets of rules, but a schema field that the open-source proto lacks chooses between them. So the choice is patched.
    """

    def run(given, want):
        legacy = given.get("generate_legacy_feature_spec") is True
        util._ShouldUseLegacyLogic = lambda schema: legacy
        return op(given, want)

    return run


OPS = {
    name: with_profile(op)
    for name, op in {
        **{
            name: lambda given, want, name=name: inferred(name, given, want)
            for name in (
                "InferTensorRepresentationsFromSchema",
                "InferTensorRepresentationsFromMixedSchema",
                "GetTensorRepresentationsFromSchema",
            )
        },
        "GetSourceColumnsFromTensorRepresentation": source_columns,
        "GetSourceValueColumnFromTensorRepresentation": source_value_column,
        "CreateTfExampleParserConfig": parser_config,
        "CreateTfSequenceExampleParserConfig": sequence_parser_config,
        "ProjectTensorRepresentationsInSchema": projected,
        "ValidateTensorRepresentationsInSchema": validated,
    }.items()
}
