"""Converts the notation of conformance vectors to the Arrow arrays, tensors and protos that tfx_bsl takes."""

import base64
import math

import numpy as np
import pyarrow as pa
import tensorflow as tf
from tensorflow_metadata.proto.v0 import schema_pb2

WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def from_base64(text):
    return base64.b64decode(text)


def arrow_type(json):
    if isinstance(json, str):
        return pa.type_for_alias(json)
    if "list" in json:
        return pa.list_(arrow_type(json["list"]))
    if "large_list" in json:
        return pa.large_list(arrow_type(json["large_list"]))
    return pa.struct([pa.field(each["name"], arrow_type(each["type"])) for each in json["struct"]])


def arrow_schema(fields):
    return pa.schema([pa.field(each["name"], arrow_type(each["type"])) for each in fields])


def scalar(json):
    return from_base64(json["b64"]) if isinstance(json, dict) else WORDS.get(json, json)


def value(json, kind):
    if json is None:
        return None
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [value(item, kind.value_type) for item in json]
    if pa.types.is_struct(kind):
        return {field.name: value(json[field.name], field.type) for field in kind}
    if pa.types.is_integer(kind) or pa.types.is_timestamp(kind):
        return int(json)
    return np.float16(scalar(json)) if pa.types.is_float16(kind) else scalar(json)


def array(json):
    kind = arrow_type(json["type"])
    made = pa.array([value(each, kind) for each in json["values"]], type=kind)
    return made.slice(*json["slice"]) if "slice" in json else made


def record_batch(json):
    columns = json["columns"]
    if not columns:
        # If a batch has no columns, it can get its number of rows only from a struct array.
        rows = pa.array([{}] * json.get("num_rows", 0), type=pa.struct([]))
        return pa.RecordBatch.from_struct_array(rows)
    return pa.RecordBatch.from_arrays([array(each) for each in columns], [each["name"] for each in columns])


def schema(json):
    """Returns the schema of a vector, or None if it has no schema."""
    if json.get("schema_b64") is None:
        return schema_pb2.Schema() if json.get("schema_textproto") == "" else None
    return schema_pb2.Schema.FromString(from_base64(json["schema_b64"]))


def representation(json):
    return schema_pb2.TensorRepresentation.FromString(from_base64(json["b64"]))


def representations(json):
    return {name: representation(each) for name, each in json.items()}


def elements(values, dtype):
    if dtype == "string":
        return tf.constant(np.array([scalar(each) for each in values], dtype=object), tf.string)
    kind = tf.as_dtype(dtype)
    numbers = [int(each) if kind.is_integer else scalar(each) for each in values]
    return tf.constant(np.array(numbers, dtype=kind.as_numpy_dtype), kind)


def tensor(json):
    if json["kind"] == "dense":
        return tf.reshape(elements(json["values"], json["dtype"]), json["shape"])
    if json["kind"] == "sparse":
        indices = np.array(json["indices"], np.int64).reshape(-1, len(json["dense_shape"]))
        return tf.SparseTensor(indices, elements(json["values"], json["dtype"]), json["dense_shape"])
    flat = json["flat_values"]
    made = tf.reshape(elements(flat["values"], json["dtype"]), flat["shape"])
    for splits in reversed(json["nested_row_splits"]):
        dtype = json.get("row_splits_dtype", "int64")
        made = tf.RaggedTensor.from_row_splits(made, tf.constant(splits, tf.as_dtype(dtype)), validate=False)
    return made


def type_spec(json):
    shape, dtype = tf.TensorShape(json.get("shape")), tf.as_dtype(json["dtype"])
    if json["kind"] == "tensor":
        return tf.TensorSpec(shape, dtype)
    if json["kind"] == "sparse":
        return tf.SparseTensorSpec(shape, dtype)
    row_splits_dtype = tf.as_dtype(json.get("row_splits_dtype", "int64"))
    return tf.RaggedTensorSpec(shape, dtype, json.get("ragged_rank", 1), row_splits_dtype)


def type_specs(json):
    return {name: type_spec(each) for name, each in json.items()}
