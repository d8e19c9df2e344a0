"""Converts Arrow columns to the JSON of src/example-rows.ts."""

import pyarrow as pa

from rows import encode_bytes, float_bits

CONVERT = {
    pa.int64(): lambda values: {"int64": [str(value) for value in values]},
    pa.float32(): lambda values: {"float": float_bits(values)},
    pa.binary(): lambda values: {"bytes": encode_bytes(values)},
    pa.large_binary(): lambda values: {"bytes": encode_bytes(values)},
}


def read_validated(path):
    with pa.ipc.open_stream(path) as reader:
        table = reader.read_all()
    for batch in table.to_batches():
        batch.validate(full=True)
    return table


def types_json(table):
    return {name: str(column.type) for name, column in zip(table.column_names, table.columns)}


def list_json(type, values):
    return None if values is None else CONVERT[type.value_type](values)
