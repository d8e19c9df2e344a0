"""parquet_counts.py FILE…: prints, for each Parquet file, the number of rows and the number of nulls in each column, as DuckDB
counts them."""

import json
import sys

import duckdb

answers = {}
for path in sys.argv[1:]:
    try:
        relation = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
        quoted = ['"' + name.replace('"', '""') + '"' for name in relation.columns]
        counts = ", ".join(["count(*)", *(f"count(*) - count({name})" for name in quoted)])
        num_rows, *num_nulls = duckdb.sql(f"SELECT {counts} FROM read_parquet('{path}')").fetchall()[0]
        answers[path] = {"numRows": num_rows, "numNulls": num_nulls}
    except Exception as error:
        answers[path] = {"error": str(error)[:200]}
print(json.dumps(answers))
