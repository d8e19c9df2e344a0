"""table_write.py FOLDER: writes files with pyarrow, polars, DuckDB and Python. Prints [{file, writer, rows}] as JSON."""

import csv
import json
import os
import sys

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather

from plain import plain_rows
from table_columns import cells, nested, objects

folder, written = sys.argv[1], []


def add(file, writer, table, write):
    """Writes a file and records it. Its expected rows are those of `table`, even if the writer stores them in other types."""
    write(os.path.join(folder, file))
    written.append({"file": file, "writer": writer, "rows": plain_rows(table)})


def ipc(table, open_writer, **options):
    def write(path):
        with open_writer(path, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
            writer.write_table(table, max_chunksize=4)

    return write


whole = cells()
for name, column in zip(nested().column_names, nested().columns):
    whole = whole.append_column(name, column)

add("pyarrow.arrow", "pyarrow", whole, ipc(whole, pa.ipc.new_file))
add("pyarrow.arrows", "pyarrow", whole, ipc(whole, pa.ipc.new_stream))
for codec in ("lz4", "zstd"):
    add(f"pyarrow-{codec}.arrow", "pyarrow", whole, ipc(whole, pa.ipc.new_file, compression=codec))
    add(f"pyarrow-{codec}.arrows", "pyarrow", whole, ipc(whole, pa.ipc.new_stream, compression=codec))
flat = whole.drop_columns(["word", "words"])
add("pyarrow.feather", "pyarrow", flat, lambda path: pa.feather.write_feather(flat, path))
views = pa.table({"text": whole["string"].cast(pa.string_view()), "bytes": whole["bytes"].cast(pa.binary_view())})
table = cells()
add("cells.arrows", "pyarrow", table, ipc(table, pa.ipc.new_stream))
add("pyarrow-views.arrow", "pyarrow", views, ipc(views, pa.ipc.new_file))

common = cells().drop_columns(["date64", "time32[s]", "timestamp[s]", "decimal"])
frame = pl.from_arrow(common)
for codec in ("uncompressed", "lz4", "zstd"):
    add(f"polars-{codec}.arrow", "polars", frame.to_arrow(), lambda path: frame.write_ipc(path, compression=codec))
add("polars.arrows", "polars", frame.to_arrow(), lambda path: frame.write_ipc_stream(path))

connection = duckdb.connect()
simple = cells().drop_columns(["date64", "word"])
connection.register("simple", simple)
answer = connection.sql(
    "SELECT *, [\"row\", NULL] AS numbers, {'a': \"row\", 'b': string} AS pair FROM simple ORDER BY \"row\""
).to_arrow_table()
add("duckdb.arrows", "duckdb", answer, ipc(answer, pa.ipc.new_stream))

text = cells().select(["row", "int64", "float", "double", "string"])
add("pyarrow.csv", "pyarrow", text, lambda path: pa.csv.write_csv(text, path))
add("polars.csv", "polars", text, lambda path: pl.from_arrow(text).write_csv(path, float_scientific=None))
connection.register("text_table", text)
add("duckdb.csv", "duckdb", text, lambda path: connection.execute(f"COPY text_table TO '{path}' (HEADER)"))


def python_csv(path):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(text.column_names)
        for row in text.to_pylist():
            # The csv module writes None and "" alike, as an empty cell. Replacing None with "" only makes this explicit.
            writer.writerow(["" if value is None else value for value in row.values()])


add("python.csv", "python", text, python_csv)
finite = objects()
add("polars.jsonl", "polars", finite, lambda path: pl.from_arrow(finite).write_ndjson(path))
connection.register("object_table", finite)
add("duckdb.jsonl", "duckdb", finite, lambda path: connection.execute(f"COPY object_table TO '{path}' (FORMAT json)"))


def python_jsonl(path):
    with open(path, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in finite.to_pylist())


add("python.jsonl", "python", finite, python_jsonl)
print(json.dumps(written))
