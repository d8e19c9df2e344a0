"""Reads an Avro file with fastavro and prints its rows as JSON. In the JSON, integers, dates, times and the
unscaled values of decimals are strings, and bytes are lists of numbers.
"""

import datetime
import decimal
import json
import sys

import fastavro


def plain(value):
    if isinstance(value, dict):
        return {key: plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [plain(child) for child in value]
    if isinstance(value, bytes):
        return list(value)
    if isinstance(value, datetime.datetime):
        delta = value - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        return str((delta.days * 86_400 + delta.seconds) * 10**6 + delta.microseconds)
    if isinstance(value, datetime.date):
        return str((value - datetime.date(1970, 1, 1)).days)
    if isinstance(value, decimal.Decimal):
        return str(int(value * 100))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


with open(sys.argv[1], "rb") as file:
    print(json.dumps([plain(row) for row in fastavro.reader(file)]))
