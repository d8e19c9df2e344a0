"""s2t_answers.py FILE OUT: runs the queries of FILE with struct2tensor and writes the answers to OUT. Both have one line of JSON
per case. A case that fails has the answer {"error"}."""

import base64
import json
import math
import sys

import s2t_query
import struct2tensor as s2t
import tensorflow as tf
from struct2tensor import calculate
from struct2tensor.expression_impl import project


def value_json(value):
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return {"b64": base64.b64encode(value).decode()}
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return "-0" if value == 0 and math.copysign(1, value) < 0 else value
    return value


def values_json(tensor):
    is_wide = tensor.dtype in (tf.int64, tf.uint64)
    return [str(each) if is_wide else value_json(each) for each in tensor.numpy().tolist()]


def node_json(node):
    if isinstance(node, s2t.RootNodeTensor):
        return {"node": "root", "size": int(node.size)}
    common = {"parentIndex": node.parent_index.numpy().tolist(), "repeated": bool(node.is_repeated)}
    if isinstance(node, s2t.ChildNodeTensor):
        return {"node": "child", **common}
    return {"node": "leaf", **common, "dtype": node.values.dtype.name, "values": values_json(node.values)}


def ragged_json(tensor):
    if not isinstance(tensor, tf.RaggedTensor):
        return values_json(tensor)
    values, splits = ragged_json(tensor.values), tensor.row_splits.numpy().tolist()
    return [values[begin:end] for begin, end in zip(splits, splits[1:])]


def sparse_json(tensor):
    return {
        "indices": tensor.indices.numpy().tolist(),
        "values": values_json(tensor.values),
        "denseShape": tensor.dense_shape.numpy().tolist(),
        "dtype": tensor.dtype.name,
    }


def is_aligned(nodes):
    parents = [node.parent_index.numpy().tolist() for node in calculate.calculate_values(nodes)]
    return all(each == parents[0] for each in parents)


def descending(node):
    parents = getattr(node, "parent_index", None)
    return parents is not None and bool(tf.reduce_any(parents[1:] < parents[:-1]))


def tensors_json(root, leaves, convert, tensors):
    answer = {}
    for path in leaves:
        (prensor,) = s2t.calculate_prensors([project.project(root, [path])])
        steps = [prensor.get_descendant_or_error(path.prefix(depth)) for depth in range(1, len(path) + 1)]
        if any(descending(each.node) for each in steps):
            answer[str(path)] = {"descending": True}
        else:
            answer[str(path)] = convert(getattr(prensor, tensors)()[path])
    return answer


def answer(case):
    root, aligned = s2t_query.query_of(case)
    if case["checksAlignment"]:
        return {"isAligned": all(is_aligned(nodes) for nodes in aligned)}
    paths = [s2t_query.path_of(path) for path in case["paths"]]
    nodes = calculate.calculate_values([root.get_descendant_or_error(path) for path in paths])
    leaves = [path for path, node in zip(paths, nodes) if isinstance(node, s2t.LeafNodeTensor)]
    return {
        "nodes": {str(path): node_json(node) for path, node in zip(paths, nodes)},
        "ragged": tensors_json(root, leaves, ragged_json, "get_ragged_tensors"),
        "sparse": tensors_json(root, leaves, sparse_json, "get_sparse_tensors"),
    }


def main():
    with open(sys.argv[1]) as questions, open(sys.argv[2], "w") as answers:
        for line in questions:
            try:
                found = answer(json.loads(line))
            except Exception as error:
                found = {"error": f"{type(error).__name__}: {str(error)[:200]}"}
            answers.write(json.dumps(found) + "\n")
    print("{}")


main()
