"""csv_dialects.py REQUESTS: reads CSV files with Python's csv. REQUESTS is a JSON file with a list of requests, each
{path, delimiter, quotechar, doublequote, escapechar}. Prints one list of records per request, as JSON.
"""

import csv
import json
import sys


def records(path, **dialect):
    with open(path, newline="") as file:
        return list(csv.reader(file, strict=True, **dialect))


with open(sys.argv[1]) as requests:
    print(json.dumps([records(**request) for request in json.load(requests)]))
