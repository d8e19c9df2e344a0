"""arrow_write.py FILE: writes columns of every kind of list as an Arrow stream, and prints their tensors as JSON."""

import json
import sys

import pyarrow as pa

from rows import encode_bytes, float_bits

# The columns are slices, so that their first offsets are not 0.
columns = {
    "list": pa.array([[9], [1, 2], None, [], [3]], pa.list_(pa.int64()))[1:],
    "large": pa.array([[0.5], [1.5], [], None, [2.5, -0.0]], pa.large_list(pa.float32()))[1:],
    "fixed": pa.array([[0, 0], [1, 2], [3, 4], [5, 6], [7, 8]], pa.list_(pa.int32(), 2))[1:],
    "text": pa.array([["z"], ["é", ""], None, [], ["a"]], pa.list_(pa.large_string()))[1:],
    "nested": pa.array([[[0]], [[1], [2, 3]], [], None, [[], [4]]], pa.list_(pa.large_list(pa.int64())))[1:],
    "words": pa.array([["a"], ["b", "a"], ["b"], [], None], pa.list_(pa.dictionary(pa.int8(), pa.string())))[1:],
}
batch = pa.record_batch(columns)
batch.validate(full=True)
with pa.ipc.new_stream(sys.argv[1], batch.schema) as writer:
    writer.write_batch(batch)


def splits(lists):
    result = [0]
    for each in lists:
        result.append(result[-1] + len(each or []))
    return result


def flat(lists):
    return [value for each in lists for value in each or []]


def ragged(name, convert, depth=1):
    values, nested = columns[name].to_pylist(), []
    for _ in range(depth):
        nested.append(splits(values))
        values = flat(values)
    return {"rowSplits": nested, "values": convert(values)}


def text(values):
    return encode_bytes([value.encode() for value in values])


def exact(values):
    return [str(value) for value in values]


print(
    json.dumps(
        {
            "list": ragged("list", exact),
            "large": ragged("large", float_bits),
            "fixed": {"shape": [len(columns["fixed"]), 2], "values": exact(flat(columns["fixed"].to_pylist()))},
            "text": ragged("text", text),
            "nested": ragged("nested", exact, depth=2),
            "words": ragged("words", text),
        }
    )
)
