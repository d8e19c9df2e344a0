"""Runs pipelines of tf.data and grain for `pnpm bench dataset`, each on one thread.

First prints {"versions"} on stdout: the version of each library, or the reason why it is absent. Then answers each line of
JSON on stdin, {"engine", "pipeline", "numRows", "path", "batchSize", "bufferSize", "columns"}, with {"seconds", "numRows"}:
the processor time of one pass over a table of `numRows` rows or over a TFRecord file, and the number of rows read. Row k of
the table has the values k, k + 1, k + 2, k + 3 and k % 10.
"""

import functools
import json
import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ["OMP_NUM_THREADS"] = "1"


def version_of(module):
    try:
        return {"version": __import__(module).__version__}
    except ImportError as error:
        return {"absent": str(error)}
    except AttributeError:
        from importlib.metadata import version

        return {"version": version(module)}


VERSIONS = {module: version_of(module) for module in ("tensorflow", "grain")}


@functools.lru_cache(maxsize=2)
def arrays(num_rows):
    import numpy as np
    import pyarrow as pa

    rows = np.arange(num_rows)
    columns = {f"x{c}": (rows + c).astype(np.float32) for c in range(4)}
    table = pa.table({**columns, "y": (rows % 10).astype(np.int32)})
    # These arrays are views of the Arrow buffers.
    return {name: table.column(name).chunk(0).to_numpy(zero_copy_only=True) for name in table.column_names}


def feature_spec(columns):
    import tensorflow as tf

    dtypes = {"bytes": tf.string, "float": tf.float32, "int64": tf.int64}
    return {column["name"]: tf.io.FixedLenFeature([1], dtypes[column["kind"]]) for column in columns}


def tensorflow_batches(request):
    import tensorflow as tf

    if request["pipeline"] == "tfrecord":
        spec = feature_spec(request["columns"])
        dataset = tf.data.TFRecordDataset(request["path"]).shuffle(request["bufferSize"], seed=1)
        dataset = dataset.batch(request["batchSize"]).map(lambda records: tf.io.parse_example(records, spec))
    else:
        dataset = tf.data.Dataset.from_tensor_slices(arrays(request["numRows"]))
        if request["pipeline"] == "shuffle":
            dataset = dataset.shuffle(request["bufferSize"], seed=1)
        if request["pipeline"] == "map":
            dataset = dataset.map(lambda row: {**row, "x0": row["x0"] * 2})
        dataset = dataset.batch(request["batchSize"])
    options = tf.data.Options()
    options.threading.private_threadpool_size = 1
    options.threading.max_intra_op_parallelism = 1
    options.autotune.enabled = False
    return dataset.with_options(options)


def grain_batches(request):
    import grain
    import grain.experimental as experimental

    one_thread = grain.ReadOptions(num_threads=0, prefetch_buffer_size=0)
    if request["pipeline"] == "tfrecord":
        import tensorflow as tf

        spec = feature_spec(request["columns"])
        records = experimental.TFRecordIterDataset(request["path"])
        shuffled = experimental.WindowShuffleIterDataset(records, window_size=request["bufferSize"], seed=1)
        batches = shuffled.batch(request["batchSize"], batch_fn=list)
        return batches.map(lambda batch: tf.io.parse_example(batch, spec))
    columns = arrays(request["numRows"])

    class Rows:
        def __len__(self):
            return request["numRows"]

        def __getitem__(self, index):
            return {name: values[index] for name, values in columns.items()}

    rows = grain.MapDataset.source(Rows())
    if request["pipeline"] == "shuffle":
        # This shuffles all rows, and is still faster than WindowShuffleIterDataset.
        rows = rows.shuffle(seed=1)
    if request["pipeline"] == "map":
        rows = rows.map(lambda row: {**row, "x0": row["x0"] * 2})
    return rows.batch(request["batchSize"]).to_iter_dataset(one_thread)


def run(request):
    batches = tensorflow_batches(request) if request["engine"] == "tensorflow" else grain_batches(request)
    label = "label" if request["pipeline"] == "tfrecord" else "y"
    start = time.process_time()
    rows = sum(int(batch[label].shape[0]) for batch in batches)
    return {"seconds": time.process_time() - start, "numRows": rows}


def main():
    if "version" in VERSIONS["tensorflow"]:
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
    print(json.dumps({"versions": VERSIONS}), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


main()
