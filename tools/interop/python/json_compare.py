"""json_compare.py OURS: reads our JSON Lines file OURS with pyarrow, DuckDB, polars and Python's json. The file must contain the
rows of `objects()` in table_columns.py. Prints, for each reader, the rows "found" and the rows "wanted".
"""

import json
import sys

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.json

from plain import plain_rows
from table_columns import objects

ours = sys.argv[1]
theirs = objects()


def with_pyarrow():
    parse = pa.json.ParseOptions(explicit_schema=theirs.schema, newlines_in_values=False)
    return plain_rows(pa.json.read_json(ours, parse_options=parse))


def with_duckdb():
    types = {
        "row": "BIGINT",
        "int64": "BIGINT",
        "double": "DOUBLE",
        "bool": "BOOLEAN",
        "string": "VARCHAR",
        "list": "BIGINT[]",
        "struct": "STRUCT(x BIGINT, y DOUBLE[])",
    }
    query = f"SELECT * FROM read_json('{ours}', format = 'newline_delimited', columns = {types!r})"
    return plain_rows(duckdb.connect().sql(query).to_arrow_table())


def with_polars():
    return plain_rows(pl.read_ndjson(ours, schema=pl.from_arrow(theirs).schema).to_arrow())


def with_python():
    with open(ours) as file:
        rows = [json.loads(line) for line in file]
    return plain_rows(pa.Table.from_pylist(rows, theirs.schema))


results = {}
for name, read in {"pyarrow": with_pyarrow, "duckdb": with_duckdb, "polars": with_polars, "python": with_python}.items():
    try:
        results[name] = {"wanted": plain_rows(theirs), "found": read()}
    except Exception as error:  # If a reader rejects our file, its message is the result.
        results[name] = {"error": f"{type(error).__name__}: {error}"}
print(json.dumps(results))
