"""csv_compare.py THEIRS OURS: reads our CSV file OURS with pyarrow, DuckDB, polars and Python's csv. Prints, for each reader,
the rows "found" and the rows "wanted", which come from the Arrow stream THEIRS. Null differs from the empty string, except for
Python's csv, which does not distinguish them.
"""

import csv
import json
import sys

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.csv

from plain import plain_rows

with pa.ipc.open_stream(sys.argv[1]) as reader:
    theirs = reader.read_all()
ours = sys.argv[2]


def with_pyarrow():
    # pyarrow's CSV reader cannot produce dictionary columns of text, so their type is replaced by string.
    types = {field.name: pa.string() if pa.types.is_dictionary(field.type) else field.type for field in theirs.schema}
    options = pa.csv.ConvertOptions(
        column_types=types,
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    parse = pa.csv.ParseOptions(newlines_in_values=True)
    return plain_rows(pa.csv.read_csv(ours, parse_options=parse, convert_options=options))


def with_duckdb():
    names = {"int64": "BIGINT", "float": "FLOAT", "double": "DOUBLE", "string": "VARCHAR", "date32": "DATE", "bool": "BOOLEAN"}
    query = f"SELECT {', '.join(names)} FROM read_csv('{ours}', header = true, allow_quoted_nulls = false, types = {names!r})"
    return plain_rows(duckdb.connect().sql(query).to_arrow_table())


def with_polars():
    schema = {name: pl.String for name in theirs.column_names}
    schema.update({"int64": pl.Int64, "float": pl.Float32, "double": pl.Float64, "string": pl.String})
    frame = pl.read_csv(ours, schema=schema).select(["int64", "float", "double", "string"])
    return plain_rows(frame.to_arrow())


def with_python():
    with open(ours, newline="") as file:
        return [{name: row[name] for name in ("string", "large_string", "word")} for row in csv.DictReader(file, strict=True)]


def selected(rows, names):
    return [{name: row[name] for name in names} for row in rows]


expected = plain_rows(theirs)
results = {}
for name, read in {"pyarrow": with_pyarrow, "duckdb": with_duckdb, "polars": with_polars, "python": with_python}.items():
    try:
        found = read()
        wanted = selected(expected, found[0])
        if name == "python":
            wanted = [{column: value or "" for column, value in row.items()} for row in wanted]
        results[name] = {"wanted": wanted, "found": found}
    except Exception as error:  # If a reader rejects our file, its message is the result.
        results[name] = {"error": f"{type(error).__name__}: {error}"}
print(json.dumps(results))
