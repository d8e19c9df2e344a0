"""Runs queries with struct2tensor for `pnpm bench struct2tensor`.

First prints {"version"} on stdout. Then answers each line of JSON on stdin, {"path", "descriptor", "message", "query",
"paths", "view", "batchRecords"}, with a line of JSON on stdout, {"seconds", "numValues"}: the processor time of the query
over every record of the file, and the number of values in all leaves. Before the clock starts, the file is read into memory,
and the query is compiled and run on one batch.
"""

import functools
import json
import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
sys.path.append(os.path.join(os.path.dirname(__file__), "..", "..", "interop", "python"))

import struct2tensor as s2t
import tensorflow as tf
from decode_messages import length_prefixed, proto2_files
from s2t_query import STEPS, path_of

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


@functools.lru_cache(maxsize=2)
def batches_of(path, batch_records):
    records = length_prefixed(path)
    return [tf.constant(records[at : at + batch_records]) for at in range(0, len(records), batch_records)]


@functools.lru_cache(maxsize=2)
def function_of(text):
    request = json.loads(text)
    paths = [path_of(path) for path in request["paths"]]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def run(records):
        root = s2t.create_expression_from_file_descriptor_set(
            records, request["message"], proto2_files(request["descriptor"])
        )
        for step in request["query"]:
            root = STEPS[step["op"]](root, step)
        (prensor,) = s2t.calculate_prensors([root.project(paths)])
        if request["view"] == "nodes":
            nodes = [prensor.get_descendant_or_error(path).node for path in paths]
            return [(node.parent_index, node.values) for node in nodes]
        if request["view"] == "ragged":
            ragged = prensor.get_ragged_tensors()
            return [ragged[path] for path in paths]
        sparse = prensor.get_sparse_tensors()
        return [sparse[path] if request["view"] == "sparse" else tf.sparse.to_dense(sparse[path]) for path in paths]

    return run


def count(leaf):
    if isinstance(leaf, tuple):
        return int(tf.size(leaf[1]))
    if isinstance(leaf, tf.RaggedTensor):
        return int(tf.size(leaf.flat_values))
    return int(tf.size(leaf.values if isinstance(leaf, tf.SparseTensor) else leaf))


def main():
    from importlib.metadata import version

    print(json.dumps({"version": f"{version('struct2tensor')}, tensorflow {tf.__version__}"}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        batches = batches_of(request["path"], request["batchRecords"])
        run = function_of(line)
        run(batches[0])
        start = time.process_time()
        found = [run(batch) for batch in batches]
        seconds = time.process_time() - start
        total = sum(count(leaf) for leaves in found for leaf in leaves)
        print(json.dumps({"seconds": seconds, "numValues": total}), flush=True)


main()
