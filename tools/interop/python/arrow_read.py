"""arrow_read.py FILE: the rows of an Arrow stream, as pyarrow reads it, fully validated."""

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
