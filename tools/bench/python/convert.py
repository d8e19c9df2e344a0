"""Converts list columns for `pnpm bench convert`, either with pyarrow and numpy or with TensorFlow. Usage: convert.py pyarrow | tensorflow.

First prints {"version"} on stdout. Then answers each line of JSON on stdin with a line of JSON on stdout. The answer to
{"do": "run", "kind", "dtype", "rowSize", "fill", "path", "repeats"} is {"seconds"}. The answer to "digest" is {"arrays"}:
the number of bytes and the CRC-32 of each array of the result, with indices and row splits as int32. Unlike our adapter,
these conversions do not check the length of each row.
"""

import functools
import json
import os
import sys
import time
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")


def pyarrow_conversions():
    import numpy as np
    import pyarrow as pa

    def load(splits, values, rows):
        return pa.ListArray.from_arrays(pa.array(splits, pa.int32()), pa.array(values)), pa.array(rows)

    def dense(column, _, row_size, __):
        return [column.flatten().to_numpy().reshape(-1, row_size)]

    def sparse(column, *_):
        splits, values = column.offsets.to_numpy(), column.flatten().to_numpy()
        lengths = np.diff(splits)
        rows = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        positions = np.arange(len(values), dtype=np.int32) - np.repeat(splits[:-1], lengths)
        return [np.stack([rows, positions], axis=1), values]

    def pad(column, _, row_size, fill):
        splits, values = column.offsets.to_numpy(), column.flatten().to_numpy()
        padded = np.full((len(column), row_size), fill, values.dtype)
        padded[np.arange(row_size) < np.diff(splits)[:, None]] = values
        return [padded]

    def ragged(column, *_):
        return [column.offsets.to_numpy(), column.flatten().to_numpy()]

    def take(column, rows, *_):
        return ragged(column.take(rows))

    kinds = {"dense": dense, "sparse": sparse, "pad": pad, "ragged": ragged, "take": take}
    return f"{pa.__version__}, numpy {np.__version__}", load, kinds


def tensorflow_conversions():
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)

    def load(splits, values, rows):
        return tf.RaggedTensor.from_row_splits(tf.constant(values), tf.constant(splits)), tf.constant(rows)

    def dense(column, _, row_size, __):
        return [tf.reshape(column.flat_values, (-1, row_size))]

    def sparse(column, *_):
        tensor = column.to_sparse()
        return [tensor.indices, tensor.values]

    def pad(column, _, row_size, fill):
        return [column.to_tensor(default_value=fill, shape=(None, row_size))]

    def ragged(column, *_):
        tensor = tf.RaggedTensor.from_row_splits(column.flat_values, column.row_splits, validate=False)
        return [tensor.row_splits, tensor.flat_values]

    def take(column, rows, *_):
        tensor = tf.gather(column, rows)
        return [tensor.row_splits, tensor.flat_values]

    return tf.__version__, load, {"dense": dense, "sparse": sparse, "pad": pad, "ragged": ragged, "take": take}


def main():
    library = sys.argv[1]
    version, load, kinds = pyarrow_conversions() if library == "pyarrow" else tensorflow_conversions()
    import numpy as np

    @functools.lru_cache(maxsize=8)
    def column(path, dtype):
        splits, rows = (np.fromfile(f"{path}.{name}", "<i4") for name in ("splits", "rows"))
        return load(splits, np.fromfile(f"{path}.values", dtype), rows)

    print(json.dumps({"version": version}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        (loaded, rows), convert = column(request["path"], request["dtype"]), kinds[request["kind"]]
        row_size, fill = request["rowSize"], request["fill"]
        if request["do"] == "run":
            start = time.perf_counter()
            for _ in range(request["repeats"]):
                convert(loaded, rows, row_size, fill)
            answer = {"seconds": time.perf_counter() - start}
        else:
            arrays = [np.asarray(array) for array in convert(loaded, rows, row_size, fill)]
            arrays[:-1] = [array.astype("<i4") for array in arrays[:-1]]
            contents = [array.tobytes() for array in arrays]
            answer = {"arrays": [{"numBytes": len(content), "crc": zlib.crc32(content)} for content in contents]}
        print(json.dumps(answer), flush=True)


main()
