"""table_compare.py THEIRS OURS…: reads Arrow files with pyarrow, and prints the types and rows of each as JSON. All files except
the first are validated in full."""

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
    try:
        table = read(path)
        if validate:
            table.validate(full=True)
            for batch in table.to_batches():
                batch.validate(full=True)
    except pa.ArrowException as error:  # If pyarrow rejects our file, its message is the result.
        return {"error": f"{type(error).__name__}: {error}"}
    return {"types": {field.name: str(field.type) for field in table.schema}, "rows": plain_rows(table)}


print(json.dumps([described(path, index > 0) for index, path in enumerate(sys.argv[1:])]))
