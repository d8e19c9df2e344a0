"""Uses pyarrow to exchange streams of record batches over sockets, as a server or as a client.

arrow_streams.py serve ENDPOINT CLIENTS [cut]: sends the batches to CLIENTS clients, one after the other. With the argument
  `cut`, the streams have no end marker.
arrow_streams.py read ENDPOINT: reads a stream of the same batches, and prints the differences as a JSON list.
ENDPOINT is unix://PATH or tcp://HOST:PORT. For read, it may also be an HTTP URL."""

import json
import random
import socket
import sys
import urllib.request

import pyarrow as pa

random.seed(3)


def some(make, rows):
    return [None if random.random() < 0.2 else make() for _ in range(rows)]


def batch(rows):
    return pa.record_batch(
        {
            "label": pa.array([random.randrange(-(2**62), 2**62) for _ in range(rows)], pa.int64()),
            "x": pa.array(some(random.random, rows), pa.float64()),
            "good": pa.array(some(lambda: random.random() < 0.5, rows), pa.bool_()),
            "text": pa.array(some(lambda: random.choice(["", "é", "€uro", "x" * 100]), rows), pa.string()),
            "list": pa.array(some(lambda: [random.randrange(9)] * random.randrange(4), rows), pa.list_(pa.int32())),
            "word": pa.array(some(lambda: random.choice(["a", "b"]), rows), pa.string()).dictionary_encode(),
        }
    )


batches = [batch(rows) for rows in (1, 7, 1000, 64, 20_000)]


def address(endpoint):
    scheme, _, rest = endpoint.partition("://")
    if scheme == "unix":
        return socket.AF_UNIX, rest
    host, _, port = rest.rpartition(":")
    return socket.AF_INET, (host, int(port))


def serve(endpoint, clients, is_cut):
    family, where = address(endpoint)
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        if family == socket.AF_INET:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(1)
        for _ in range(clients):
            connection, _ = listener.accept()
            with connection, connection.makefile(mode="wb") as sink:
                writer = pa.RecordBatchStreamWriter(sink, batches[0].schema)
                for one in batches:
                    writer.write_batch(one)
                if not is_cut:
                    writer.close()
    return sum(one.num_rows for one in batches)


def read(endpoint):
    if endpoint.startswith("http"):
        source = urllib.request.urlopen(endpoint)
    else:
        family, where = address(endpoint)
        connection = socket.socket(family, socket.SOCK_STREAM)
        connection.connect(where)
        source = connection.makefile(mode="rb")
    with pa.ipc.open_stream(source) as reader:
        found = list(reader)
    for one in found:
        one.validate(full=True)
    differences = [] if len(found) == len(batches) else [f"{len(found)} batches"]
    for at, (one, expected) in enumerate(zip(found, batches)):
        # Equal columns may have different dictionaries and indices, so dictionary columns are compared as text.
        plain = [each.set_column(5, "word", each["word"].cast(pa.string())) for each in (one, expected)]
        if not plain[0].equals(plain[1]):
            differences.append(f"batch {at}")
    return differences


command, endpoint, *rest = sys.argv[1:]
print(json.dumps(serve(endpoint, int(rest[0]), "cut" in rest) if command == "serve" else read(endpoint)))
