"""Uses fastavro to write Avro files with fields of every type, one file per codec, and prints their rows as JSON."""

import datetime
import decimal
import json
import sys

import fastavro

folder = sys.argv[1]

fields = [
    ("flag", "boolean"),
    ("small", "int"),
    ("big", "long"),
    ("f32", "float"),
    ("f64", "double"),
    ("text", "string"),
    ("raw", "bytes"),
    ("maybe", ["null", "string"]),
    ("enum", {"type": "enum", "name": "Color", "symbols": ["RED", "GREEN"]}),
    ("fixed", {"type": "fixed", "name": "Two", "size": 2}),
    ("items", {"type": "array", "items": ["null", "long"]}),
    ("lookup", {"type": "map", "values": "double"}),
    ("nested", {"type": "record", "name": "Point", "fields": [{"name": "x", "type": "int"}, {"name": "y", "type": ["null", "int"]}]}),
    ("again", ["null", "Point"]),
    ("day", {"type": "int", "logicalType": "date"}),
    ("at", {"type": "long", "logicalType": "timestamp-micros"}),
    ("price", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}),
    ("several", ["null", "int", "string"]),
]
schema = fastavro.parse_schema(
    {"type": "record", "name": "Row", "namespace": "org.tfxio", "fields": [{"name": n, "type": t} for n, t in fields]}
)
epoch = datetime.date(1970, 1, 1)
zone = datetime.timezone.utc


def row(i):
    point = {"x": i, "y": None if i % 3 else -i}
    return {
        "flag": i % 2 == 0,
        "small": i * (-1) ** i,
        "big": (-1) ** i * 2 ** (i % 63),
        "f32": i / 4,
        "f64": i / 3,
        "text": "ü" * (i % 5),
        "raw": bytes([i % 256, 255]),
        "maybe": None if i % 4 == 0 else str(i),
        "enum": ["RED", "GREEN"][i % 2],
        "fixed": bytes([1, i % 256]),
        "items": [None if j == 1 else j * i for j in range(i % 4)],
        "lookup": {str(j): j / 2 for j in range(i % 3)},
        "nested": point,
        "again": point if i % 2 else None,
        "day": epoch + datetime.timedelta(days=i * 37 - 1000),
        "at": datetime.datetime(2020, 1, 1, 0, 0, 0, i, tzinfo=zone),
        "price": decimal.Decimal((i - 100) * 25) / 100,
        "several": [None, i, str(i)][i % 3],
    }


def plain(value):
    if isinstance(value, bytes):
        return list(value)
    if isinstance(value, datetime.datetime):
        delta = value - datetime.datetime(1970, 1, 1, tzinfo=zone)
        return str((delta.days * 86_400 + delta.seconds) * 10**6 + delta.microseconds)
    if isinstance(value, datetime.date):
        return str((value - epoch).days)
    if isinstance(value, decimal.Decimal):
        return str(int(value * 100))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def walk(value):
    if isinstance(value, dict):
        return {key: walk(child) for key, child in value.items()}
    if isinstance(value, list):
        return [walk(child) for child in value]
    return plain(value)


rows = [row(i) for i in range(300)]
for codec in ["null", "deflate", "snappy"]:
    with open(f"{folder}/{codec}.avro", "wb") as out:
        fastavro.writer(out, schema, rows, codec=codec, sync_interval=2000)
print(json.dumps([walk(one) for one in rows]))
