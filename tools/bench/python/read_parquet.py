"""Reads Parquet files with pyarrow or DuckDB on one thread for `pnpm bench parquet`. Usage: read_parquet.py pyarrow | duckdb.

First prints {"version"} on stdout. Then answers each line of JSON on stdin, {"path", "columns"}, with {"seconds", "numRows"}.
If "columns" is null, all columns are read.
"""

import json
import sys
import time

engine = sys.argv[1]
if engine == "pyarrow":
    import pyarrow
    import pyarrow.parquet as pq

    version = pyarrow.__version__

    def read(path, columns):
        return pq.read_table(path, use_threads=False, columns=columns).num_rows

else:
    import duckdb

    version = duckdb.__version__
    connection = duckdb.connect(config={"threads": 1})

    def read(path, columns):
        names = "*" if columns is None else ", ".join(f'"{name}"' for name in columns)
        return connection.sql(f"SELECT {names} FROM read_parquet('{path}')").to_arrow_table().num_rows


print(json.dumps({"version": version}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    start = time.perf_counter()
    num_rows = read(request["path"], request["columns"])
    print(json.dumps({"seconds": time.perf_counter() - start, "numRows": num_rows}), flush=True)
