"""arrow_files.py write FOLDER: writes tables with columns of every type as Arrow files and streams.
arrow_files.py check FOLDER: checks that the files in FOLDER/ours, which our code made from these tables, are valid and hold the
same values. Prints the problems as a JSON list."""

import json
import os
import random
import sys
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pyarrow as pa

random.seed(1)
ROWS = 40


def some(make, nulls=0.2):
    return [None if random.random() < nulls else make() for _ in range(ROWS)]


def number():
    return random.randrange(100)


def text():
    return "".join(random.choice("aé€😀 ") for _ in range(random.randrange(20)))


def lists(make):
    return some(lambda: [make() for _ in range(random.randrange(4))])


flat = {
    "bool": pa.array(some(lambda: random.random() < 0.5)),
    "half": pa.array([None if value is None else value / 8 for value in some(number)], pa.float32()).cast(pa.float16()),
    "utf8": pa.array(some(text)),
    "large_utf8": pa.array(some(text), pa.large_string()),
    "view": pa.array(some(text), pa.string_view()),
    "binary": pa.array(some(lambda: text().encode()), pa.binary()),
    "fixed": pa.array(some(lambda: b"abc"), pa.binary(3)),
    "date": pa.array(some(lambda: date(2024, 1, 1 + number() % 28))),
    "time": pa.array(some(lambda: time(number() % 24, 1, 2, 3))),
    "timestamp": pa.array(some(lambda: datetime(2024, 1, 2, number() % 24)), pa.timestamp("us", "Europe/Zurich")),
    "duration": pa.array(some(lambda: timedelta(seconds=number())), pa.duration("ms")),
    "decimal": pa.array(some(lambda: Decimal(number()) / 4), pa.decimal128(9, 2)),
    "wide_decimal": pa.array(some(lambda: Decimal(number()) / 4), pa.decimal256(50, 2)),
    "interval": pa.array(some(lambda: (1, 2, number())), pa.month_day_nano_interval()),
    "null": pa.nulls(ROWS),
}
for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"):
    flat[kind] = pa.array(some(number), getattr(pa, kind)())
words = pa.array(some(lambda: random.choice(["a", "b", "ccc"])))
nested = {
    "list": pa.array(lists(number), pa.list_(pa.int32())),
    "large_list": pa.array(lists(text), pa.large_list(pa.string())),
    "list_view": pa.array(lists(number), pa.list_view(pa.int64())),
    "fixed_list": pa.array(some(lambda: [number(), None]), pa.list_(pa.int16(), 2)),
    "lists": pa.array(lists(lambda: [text()]), pa.list_(pa.list_(pa.string()))),
    "nulls": pa.array(lists(lambda: None), pa.list_(pa.null())),
    "struct": pa.array(some(lambda: {"x": number(), "y": [text()]})),
    "map": pa.array(some(lambda: [(text(), number())]), pa.map_(pa.string(), pa.int32())),
    "dictionary": words.dictionary_encode(),
    "listed_words": pa.array([["b"]] * ROWS, pa.list_(pa.dictionary(pa.int8(), pa.string()))),
    "runs": pa.RunEndEncodedArray.from_arrays([5, 9, ROWS], pa.array(["x", None, "y"])),
}
types = pa.array([number() % 2 for _ in range(ROWS)], pa.int8())
sparse = [pa.array(some(number), pa.int32()), pa.array(some(text))]
unions = {
    "sparse": pa.UnionArray.from_sparse(types, sparse, ["n", "t"]),
    "dense": pa.UnionArray.from_dense(types, pa.array(range(ROWS), pa.int32()), sparse, ["n", "t"]),
}
tables = {
    name: pa.table(columns).replace_schema_metadata({"name": name})
    for name, columns in (("flat", flat), ("nested", nested), ("unions", unions))
}
command, folder = sys.argv[1:]

if command == "write":
    for name, table in tables.items():
        for codec in (None, "lz4", "zstd"):
            options = pa.ipc.IpcWriteOptions(compression=codec)
            for ending, create in ((".arrow", pa.ipc.new_file), (".arrows", pa.ipc.new_stream)):
                with create(os.path.join(folder, f"{name}-{codec}{ending}"), table.schema, options=options) as writer:
                    writer.write_table(table, max_chunksize=17)
    print(json.dumps([]))
else:
    problems = []
    for file in sorted(os.listdir(os.path.join(folder, "ours"))):
        with open(os.path.join(folder, "ours", file), "rb") as source:
            data = source.read()
        reader = pa.ipc.open_file(data) if data[:6] == b"ARROW1" else pa.ipc.open_stream(data)
        found = reader.read_all()
        found.validate(full=True)
        expected = tables[file.split("-")[0]]
        if found.schema.metadata != expected.schema.metadata or found.schema.names != expected.schema.names:
            problems.append(f"{file}: schema {found.schema}")
        for name in expected.schema.names:
            if found[name].to_pylist() != expected[name].to_pylist():
                problems.append(f"{file}: column {name}")
    print(json.dumps(problems))
