"""arrow_read.py FILE: the rows of an Arrow stream, as pyarrow reads it, fully validated."""

import json
import sys

import pyarrow as pa

from rows import encode_bytes, float_bits

CONVERT = {
    pa.int64(): lambda values: {"int64": [str(value) for value in values]},
    pa.float32(): lambda values: {"float": float_bits(values)},
    pa.binary(): lambda values: {"bytes": encode_bytes(values)},
    pa.large_binary(): lambda values: {"bytes": encode_bytes(values)},
}

with pa.ipc.open_stream(sys.argv[1]) as reader:
    table = reader.read_all()
for batch in table.to_batches():
    batch.validate(full=True)
rows = [{} for _ in range(table.num_rows)]
for name, column in zip(table.column_names, table.columns):
    convert = CONVERT[column.type.value_type]
    for row, values in zip(rows, column.to_pylist()):
        if values is not None:
            row[name] = convert(values)
types = {name: str(column.type) for name, column in zip(table.column_names, table.columns)}
print(json.dumps({"types": types, "rows": rows}))
