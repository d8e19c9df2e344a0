"""Converts the results of tfx_bsl to the notation of the expectations in conformance vectors."""

import base64
import math

import numpy as np
import pyarrow as pa
import tensorflow as tf


def to_base64(data):
    return base64.b64encode(data).decode()


def number(value):
    if math.isnan(value):
        return "NaN"
    return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def type_json(kind):
    if pa.types.is_list(kind):
        return {"list": type_json(kind.value_type)}
    if pa.types.is_large_list(kind):
        return {"large_list": type_json(kind.value_type)}
    if pa.types.is_struct(kind):
        return {"struct": [{"name": each.name, "type": type_json(each.type)} for each in kind]}
    return {pa.float32(): "float32", pa.float64(): "float64", pa.float16(): "float16"}.get(kind, str(kind))


def value_json(kind, value):
    if value is None:
        return None
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [value_json(kind.value_type, each) for each in value]
    if pa.types.is_struct(kind):
        return {each.name: value_json(each.type, value[each.name]) for each in kind}
    if isinstance(value, bytes):
        return {"b64": to_base64(value)}
    if kind in (pa.int64(), pa.uint64()):
        return str(value)
    return number(float(value)) if pa.types.is_floating(kind) else value


def array_json(array):
    values = [value_json(array.type, value) for value in array.to_pylist()]
    return {"type": type_json(array.type), "values": values}


def fields_json(schema):
    return [{"name": each.name, "type": type_json(each.type)} for each in schema]


def batch_json(batch):
    columns = [{"name": name, **array_json(column)} for name, column in zip(batch.schema.names, batch.columns)]
    return {"columns": columns, "num_rows": batch.num_rows}


def elements_json(array, dtype):
    flat = np.asarray(array).reshape(-1).tolist()
    if dtype == "string":
        return [{"b64": to_base64(each if isinstance(each, bytes) else each.encode())} for each in flat]
    if dtype in ("int64", "uint64"):
        return [str(each) for each in flat]
    return [number(each) for each in flat] if "float" in dtype else flat


def tensor_json(tensor):
    """Converts an eager tensor, or the NumPy value that tfx_bsl returns in its place."""
    if isinstance(tensor, (tf.SparseTensor, tf.compat.v1.SparseTensorValue)):
        dtype = tf.as_dtype(tensor.values.dtype).name
        shape = np.asarray(tensor.dense_shape).tolist()
        indices = np.asarray(tensor.indices).reshape(-1, len(shape)).tolist()
        values = elements_json(tensor.values, dtype)
        return {"kind": "sparse", "dtype": dtype, "indices": indices, "values": values, "dense_shape": shape}
    if isinstance(tensor, tf.RaggedTensor):
        dtype, flat = tensor.dtype.name, tensor.flat_values
        return {
            "kind": "ragged",
            "dtype": dtype,
            "row_splits_dtype": tensor.row_splits.dtype.name,
            "nested_row_splits": [splits.numpy().tolist() for splits in tensor.nested_row_splits],
            "flat_values": {"shape": list(flat.shape), "values": elements_json(flat, dtype)},
        }
    dtype = tf.as_dtype(tensor.dtype).name
    return {"kind": "dense", "dtype": dtype, "shape": list(tensor.shape), "values": elements_json(tensor, dtype)}


def tensors_json(tensors):
    return {name: tensor_json(each) for name, each in tensors.items()}


def type_spec_json(spec):
    kinds = {tf.TensorSpec: "tensor", tf.SparseTensorSpec: "sparse", tf.RaggedTensorSpec: "ragged"}
    json = {"kind": kinds[type(spec)], "dtype": spec.dtype.name, "shape": spec.shape.as_list()}
    if json["kind"] == "ragged":
        json |= {"ragged_rank": spec.ragged_rank, "row_splits_dtype": spec.row_splits_dtype.name}
    return json


def type_specs_json(specs):
    return {name: type_spec_json(each) for name, each in specs.items()}


def representations_json(representations):
    if representations is None:
        return None
    return {name: {"b64": to_base64(each.SerializeToString())} for name, each in representations.items()}
