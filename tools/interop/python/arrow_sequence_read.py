"""arrow_sequence_read.py FILE: reads an Arrow stream of SequenceExamples with pyarrow, validates it in full, and prints its
types and rows in the JSON form that src/sequence-rows.ts defines."""

import json
import sys

import pyarrow as pa

from arrow_columns import list_json, read_validated, types_json

table = read_validated(sys.argv[1])
rows = [{"context": {}, "lists": {}} for _ in range(table.num_rows)]
for name, column in zip(table.column_names, table.columns):
    for row, values in zip(rows, column.to_pylist()):
        if pa.types.is_struct(column.type):
            for field in column.type:
                if values[field.name] is not None:
                    row["lists"][field.name] = [list_json(field.type.value_type, step) for step in values[field.name]]
        elif values is not None:
            row["context"][name] = list_json(column.type, values)
print(json.dumps({"types": types_json(table), "rows": rows}))
