"""csv_dialects.py REQUESTS: the records of CSV files as Python's csv reads them. REQUESTS is a file of JSON:
[{path, delimiter, quotechar, doublequote, escapechar}]; prints a list of records for each.
"""

import csv
import json
import sys


def records(path, **dialect):
    with open(path, newline="") as file:
        return list(csv.reader(file, strict=True, **dialect))


with open(sys.argv[1]) as requests:
    print(json.dumps([records(**request) for request in json.load(requests)]))
