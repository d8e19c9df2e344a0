"""arrow_read.py FILE: reads an Arrow stream with pyarrow, validates it in full, and prints its types and rows as JSON."""

import json
import sys

from arrow_columns import list_json, read_validated, types_json

table = read_validated(sys.argv[1])
rows = [{} for _ in range(table.num_rows)]
for name, column in zip(table.column_names, table.columns):
    for row, values in zip(rows, column.to_pylist()):
        if values is not None:
            row[name] = list_json(column.type, values)
print(json.dumps({"types": types_json(table), "rows": rows}))
