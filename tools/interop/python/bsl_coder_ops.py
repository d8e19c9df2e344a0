"""Runs the cases of the decoder and encoder vectors with tfx_bsl."""

import tensorflow as tf
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.coders import csv_decoder, example_coder, sequence_example_coder
from tfx_bsl.tfxio import tensor_representation_util as util

import bsl_answers as answers
import bsl_inputs as inputs


def decoder(schema, sequence_column=None):
    serialized = [] if schema is None else [schema.SerializeToString()]
    if sequence_column is None:
        return example_coder.ExamplesToRecordBatchDecoder(*serialized)
    return sequence_example_coder.SequenceExamplesToRecordBatchDecoder(sequence_column, *serialized)


def decoder_of(given):
    return decoder(inputs.schema(given), given.get("sequence_column_name"))


def constructed(given, want):
    decoder_of(given)
    return {}


def decoded(given, want):
    records = [inputs.from_base64(each) for each in given["examples_b64"]]
    return answers.batch_json(decoder_of(given).DecodeBatch(records))


DECODER_OPS = {
    "arrow_schema": lambda given, want: {"arrow_schema": answers.fields_json(decoder_of(given).ArrowSchema())},
    "construct": constructed,
    "decode": decoded,
}


def encode(given):
    encoder = example_coder.RecordBatchToExamplesEncoder(inputs.schema(given))
    return encoder.encode(inputs.record_batch(given["record_batch"]))


def encoder_constructed(given, want):
    example_coder.RecordBatchToExamplesEncoder(inputs.schema(given))
    return {}


def nested_json(value, dtype):
    if isinstance(value, list):
        return [nested_json(each, dtype) for each in value]
    return answers.elements_json(value, dtype)[0]


def parsed_again(given, want):
    types = {name: schema_pb2.FeatureType.Value(each) for name, each in given["feature_types"].items()}
    representations = util.GetTensorRepresentationsFromSchema(inputs.schema(given))
    configs = {name: util.CreateTfExampleParserConfig(each, types[name]) for name, each in representations.items()}
    parsed = tf.io.parse_example(encode(given), configs)
    tensors = {
        name: {"nested": nested_json(each.to_list(), each.dtype.name), "ragged_rank": each.ragged_rank}
        for name, each in parsed.items()
    }
    return {"tensors": tensors}


def canonical(records):
    """Re-encodes tf.Examples in base64, with map entries sorted by key."""
    messages = [tf.train.Example.FromString(each) for each in records]
    return [answers.to_base64(each.SerializeToString(deterministic=True)) for each in messages]


ENCODER_OPS = {
    "construct": encoder_constructed,
    "encode": lambda given, want: {"examples_b64": canonical(encode(given))},
    "encode_then_parse_example": parsed_again,
}


def csv_arrow_schema(given, want):
    raw = given.get("raw_record_column_name")
    return {
        "arrow_schema": answers.fields_json(
            csv_decoder.GetArrowSchema(given["column_names"], inputs.schema(given), raw)
        )
    }


def csv_decoded(given, want):
    names, schema = given["column_names"], inputs.schema(given)
    raw = given.get("raw_record_column_name")
    # tfx_bsl does this check in CSVToRecordBatch, which needs a Beam pipeline.
    if raw in names:
        raise ValueError(f"raw_record_column_name: {raw} is already an existing column name.")
    parser = csv_decoder.ParseCSVLine(given.get("delimiter", ","))
    parser.setup()
    rows = [next(iter(parser.process(line))) for line in given["lines"]]
    options = {
        "skip_blank_lines": given.get("skip_blank_lines", True),
        "multivalent_columns": set(given["multivalent_columns"]) if given.get("multivalent_columns") else None,
        "secondary_delimiter": given.get("secondary_delimiter"),
    }
    inferrer = csv_decoder.ColumnTypeInferrer(names, **options)
    types = inferrer.create_accumulator()
    if schema is None or "inferred_types" in want:
        for cells, _line in rows:
            types = inferrer.add_input(types, cells)
        types = inferrer.extract_output(types)
    columns = types if schema is None else csv_decoder._GetColumnInfosFromSchema(schema, names)
    reader = csv_decoder.BatchedCSVRowsToRecordBatch(raw_record_column_name=raw, **options)
    batches = list(reader.process(rows, columns)) if rows else []
    found = {
        "cells": [[{"b64": answers.to_base64(cell)} for cell in cells] for cells, _line in rows],
        "inferred_types": [each.type.name for each in types],
        "record_batches": [answers.batch_json(each) for each in batches],
    }
    return {name: found[name] for name in want if name in found}


CSV_OPS = {"arrow_schema": csv_arrow_schema, "decode": csv_decoded}
