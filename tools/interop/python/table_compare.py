"""table_compare.py THEIRS OURS: reads two Arrow files, ours validated in full; prints types and rows of both."""

import json
import sys

import pyarrow as pa

from plain import plain_rows


def read(path):
    with open(path, "rb") as file:
        data = pa.py_buffer(file.read())
    is_file = data.slice(0, 6).to_pybytes() == b"ARROW1"
    with (pa.ipc.open_file if is_file else pa.ipc.open_stream)(data) as reader:
        return reader.read_all()


def described(path, validate):
    table = read(path)
    if validate:
        table.validate(full=True)
        for batch in table.to_batches():
            batch.validate(full=True)
    return {"types": {field.name: str(field.type) for field in table.schema}, "rows": plain_rows(table)}


print(json.dumps({"theirs": described(sys.argv[1], False), "ours": described(sys.argv[2], True)}))
