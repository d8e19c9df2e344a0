"""Converts tables to the JSON that `plainRows` of @tfxio/arrow-encoding produces."""

import base64
import math

import numpy as np
import pyarrow as pa
import pyarrow.compute


def plain_rows(table):
    columns = {name: plain_column(column) for name, column in zip(table.column_names, table.columns)}
    return [{name: values[row] for name, values in columns.items()} for row in range(table.num_rows)]


def plain_column(column):
    return [value for chunk in column.chunks for value in plain_array(chunk)]


def plain_array(array):
    type = array.type
    if pa.types.is_dictionary(type):
        entries = plain_array(array.dictionary)
        return [None if index is None else entries[index] for index in array.indices.to_pylist()]
    if isinstance(type, pa.RunEndEncodedType):
        return plain_array(pa.compute.run_end_decode(array))
    if pa.types.is_nested(type):
        return plain_nested(array)
    if pa.types.is_temporal(type):
        width = {32: pa.int32(), 64: pa.int64()}[type.bit_width]
        return [plain_int(value) for value in array.view(width).to_pylist()]
    return [None if value is None else plain_value(type, value) for value in array.to_pylist()]


def plain_nested(array):
    type = array.type
    if pa.types.is_struct(type):
        fields = [plain_array(array.field(index)) for index in range(type.num_fields)]
        valid = array.is_valid().to_pylist()
        return [
            {type.field(index).name: values[row] for index, values in enumerate(fields)} if valid[row] else None
            for row in range(len(array))
        ]
    if pa.types.is_map(type):
        return [
            None if not scalar.is_valid else [{"key": k, "value": v} for k, v in zip(*plain_entries(array, row))]
            for row, scalar in enumerate(array)
        ]
    return [plain_array(scalar.values) if scalar.is_valid else None for scalar in array]


def plain_entries(array, row):
    entries = array[row].values
    return plain_array(entries.field(0)), plain_array(entries.field(1))


def plain_value(type, value):
    if pa.types.is_integer(type):
        return plain_int(value)
    if pa.types.is_floating(type):
        return plain_float(type, value)
    if pa.types.is_decimal(type):
        return f"{value:f}"
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(value).decode()}
    return value


def plain_int(value):
    return value if value is None or abs(value) < 2**53 else str(value)


def plain_float(type, value):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    # numpy prints the fewest digits that identify a float32.
    return float(value) if pa.types.is_float64(type) else float(str(np.float32(value)))
