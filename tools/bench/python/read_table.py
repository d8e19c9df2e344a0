"""Reads tables with pyarrow, DuckDB and polars for `pnpm bench csv jsonl arrow`, each on one thread.

First prints {"versions"} on stdout: the version of each engine, or the reason why it is absent. Then answers each line of
JSON on stdin, {"do", "engine", "kind", "path", "columns", "infer"}, with a line of JSON. The answer to "run" is {"seconds",
"numRows"}. The answer to "digest" has the fields of TableDigest. "columns" lists the columns of the schema. If "infer" is
true, the engine infers their types.
"""

import json
import os
import sys
import time
import zlib

os.environ["POLARS_MAX_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"


def version_of(module):
    try:
        return {"version": __import__(module).__version__}
    except ImportError as error:
        return {"absent": str(error)}


VERSIONS = {module: version_of(module) for module in ("pyarrow", "duckdb", "polars")}


def pyarrow_schema(columns):
    import pyarrow as pa

    types = {"int64": pa.int64(), "float": pa.float32(), "bytes": pa.binary()}
    return pa.schema([(column["name"], types[column["kind"]]) for column in columns])


def pyarrow_csv(path, columns, infer):
    import pyarrow.csv as csv

    schema = pyarrow_schema(columns)
    types = None if infer else dict(zip(schema.names, schema.types))
    return csv.read_csv(
        path, csv.ReadOptions(use_threads=False), csv.ParseOptions(), csv.ConvertOptions(column_types=types)
    )


def pyarrow_jsonl(path, columns, infer):
    import pyarrow as pa
    import pyarrow.json as json_reader

    # The JSON reader does not support binary columns, so the schema uses strings instead.
    schema = pa.schema([f if not pa.types.is_binary(f.type) else f.with_type(pa.string()) for f in pyarrow_schema(columns)])
    parse = json_reader.ParseOptions(explicit_schema=None if infer else schema)
    return json_reader.read_json(path, json_reader.ReadOptions(use_threads=False), parse)


def touched(table):
    import numpy as np

    for chunk in table.column(0).chunks:
        np.bitwise_xor.reduce(np.frombuffer(chunk.buffers()[1], "<i4"))
    return table


def pyarrow_arrow(path, columns, infer):
    import pyarrow as pa

    with open(path, "rb") as file:
        return touched(pa.ipc.open_file(pa.py_buffer(file.read())).read_all())


def pyarrow_mmap(path, columns, infer):
    import pyarrow as pa

    return touched(pa.ipc.open_file(pa.memory_map(path)).read_all())


def duckdb_table(query):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    return connection.sql(query).to_arrow_table()


def duckdb_columns(columns):
    types = {"int64": "BIGINT", "float": "FLOAT", "bytes": "VARCHAR"}
    return "{" + ", ".join(f"'{c['name']}': '{types[c['kind']]}'" for c in columns) + "}"


def duckdb_csv(path, columns, infer):
    given = f", header = true, auto_detect = false, columns = {duckdb_columns(columns)}"
    return duckdb_table(f"SELECT * FROM read_csv('{path}'{'' if infer else given})")


def duckdb_jsonl(path, columns, infer):
    given = "" if infer else f", columns = {duckdb_columns(columns)}"
    return duckdb_table(f"SELECT * FROM read_json('{path}', format = 'newline_delimited'{given})")


def polars_schema(columns):
    import polars as pl

    types = {"int64": pl.Int64, "float": pl.Float32, "bytes": pl.String}
    return {column["name"]: types[column["kind"]] for column in columns}


def polars_csv(path, columns, infer):
    import polars as pl

    return pl.read_csv(path, schema=None if infer else polars_schema(columns)).to_arrow()


def polars_jsonl(path, columns, infer):
    import polars as pl

    return pl.read_ndjson(path, schema=None if infer else polars_schema(columns)).to_arrow()


READERS = {
    ("pyarrow", "csv"): pyarrow_csv,
    ("pyarrow", "jsonl"): pyarrow_jsonl,
    ("pyarrow", "arrow"): pyarrow_arrow,
    ("pyarrow:mmap", "arrow"): pyarrow_mmap,
    ("duckdb", "csv"): duckdb_csv,
    ("duckdb", "jsonl"): duckdb_jsonl,
    ("polars", "csv"): polars_csv,
    ("polars", "jsonl"): polars_jsonl,
}


def sum_of(column):
    import numpy as np
    import pyarrow as pa

    total = 0
    for chunk in column.chunks:
        if pa.types.is_integer(chunk.type):
            total = (total + int(chunk.to_numpy().view("<u8").sum(dtype="<u8"))) % 2**64
        elif pa.types.is_floating(chunk.type):
            total += int(chunk.to_numpy().view("<u4").sum(dtype="<u8"))
        else:
            binary = chunk.cast(pa.large_string()).cast(pa.large_binary())
            offsets = np.frombuffer(binary.buffers()[1], "<i8")[binary.offset : binary.offset + len(binary) + 1]
            total = zlib.crc32(memoryview(binary.buffers()[2])[offsets[0] : offsets[-1]], total)
    return str(total)


def answer(request):
    read = READERS[request["engine"], request["kind"]]
    start = time.perf_counter()
    table = read(request["path"], request["columns"], request["infer"])
    seconds = time.perf_counter() - start
    if request["do"] == "run":
        return {"seconds": seconds, "numRows": table.num_rows}
    columns = {column["name"]: sum_of(table.column(column["name"])) for column in request["columns"]}
    return {"numRows": table.num_rows, "columns": columns}


if "version" in VERSIONS["pyarrow"]:
    import pyarrow

    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(1)

print(json.dumps({"versions": VERSIONS}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
