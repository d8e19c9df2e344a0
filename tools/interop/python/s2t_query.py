"""Converts queries in the notation of the conformance vectors to struct2tensor expressions."""

import base64
import functools

import struct2tensor as s2t
import tensorflow as tf
from google.protobuf import descriptor_pb2
from struct2tensor import expression_add
from struct2tensor.expression_impl import (
    broadcast,
    depth_limit,
    filter_expression,
    index,
    map_prensor,
    map_values,
    project,
    promote,
    promote_and_broadcast,
    proto,
    reroot,
    size,
    slice_expression,
)
from struct2tensor.path import create_path as path_of


@functools.lru_cache(maxsize=1000)
def descriptors_of(text):
    return descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(text))


def source_of(case):
    records = [base64.b64decode(each) for each in case["records"]]
    return s2t.create_expression_from_file_descriptor_set(
        tf.constant(records, tf.string, shape=[len(records)]), case["message"], descriptors_of(case["descriptor"])
    )


def dtype_of(name):
    return tf.dtypes.as_dtype(name)


def values_function(spec):
    args = spec.get("args", [])
    return {
        "mul": lambda x: x * tf.cast(args[0], x.dtype),
        "add": lambda x, y: x + y,
        "greater": lambda x: x > tf.cast(args[0], x.dtype),
        "not": tf.logical_not,
        "cast": lambda x: tf.cast(x, dtype_of(args[0])),
        "length": tf.strings.length,
    }[spec["name"]]


def tensor_function(spec):
    if spec["name"] == "rowSum":
        return row_sum
    fn = values_function(spec)

    def apply(tensor):
        if isinstance(tensor, tf.RaggedTensor):
            return tf.ragged.map_flat_values(fn, tensor)
        return tf.SparseTensor(tensor.indices, fn(tensor.values), tensor.dense_shape)

    return apply


def row_sum(tensor):
    if isinstance(tensor, tf.RaggedTensor):
        return tf.RaggedTensor.from_tensor(tf.expand_dims(tf.reduce_sum(tensor, 1), 1))
    rows, positions = tf.unique(tensor.indices[:, 0])
    sums = tf.math.unsorted_segment_sum(tensor.values, positions, tf.size(rows))
    return tf.SparseTensor(tf.stack([rows, tf.zeros_like(rows)], 1), sums, [tensor.dense_shape[0], 1])


def payload_function(spec):
    def keep_first(parents, payloads):
        keep = tf.concat([tf.ones_like(parents[:1], tf.bool), parents[1:] != parents[:-1]], 0)
        return tf.boolean_mask(parents, keep), tf.boolean_mask(payloads, keep)

    return keep_first if spec["name"] == "keepFirstPerParent" else lambda parents, payloads: (parents, tf.reverse(payloads, [0]))


def map_tensor(function, root, step):
    fields = [path_of(field) for field in step["fields"]]
    apply = tensor_function(step["fn"])
    return function(root, path_of(step["parent"]), fields, apply, step["repeated"], dtype_of(step["dtype"]), step["as"])


STEPS = {
    "project": lambda e, s: project.project(e, [path_of(each) for each in s["paths"]]),
    "promote": lambda e, s: promote.promote(e, path_of(s["path"]), s["as"]),
    "broadcast": lambda e, s: broadcast.broadcast(e, path_of(s["path"]), s["sibling"], s["as"]),
    "promoteAndBroadcast": lambda e, s: promote_and_broadcast.promote_and_broadcast(
        e, {name: path_of(each) for name, each in s["fields"].items()}, path_of(s["dest"])
    ),
    "slice": lambda e, s: slice_expression.slice_expression(e, path_of(s["path"]), s["as"], s.get("begin"), s.get("end")),
    "truncate": lambda e, s: e.truncate(path_of(s["path"]), s["limit"], s["as"]),
    "size": lambda e, s: size.size(e, path_of(s["path"]), s["as"]),
    "has": lambda e, s: size.has(e, path_of(s["path"]), s["as"]),
    "positionalIndex": lambda e, s: index.get_positional_index(e, path_of(s["path"]), s["as"])[0],
    "indexFromEnd": lambda e, s: index.get_index_from_end(e, path_of(s["path"]), s["as"])[0],
    "filterByChild": lambda e, s: filter_expression.filter_by_child(e, path_of(s["path"]), s["child"], s["as"]),
    "filterBySibling": lambda e, s: filter_expression.filter_by_sibling(e, path_of(s["path"]), s["sibling"], s["as"]),
    "reroot": lambda e, s: reroot.reroot(e, path_of(s["path"])),
    "protoIndex": lambda e, s: reroot.create_proto_index_field(e, s["as"]),
    "limitDepth": lambda e, s: depth_limit.limit_depth(e, s["depth"]),
    "addPaths": lambda e, s: expression_add.add_paths(
        e, {path_of(to): e.get_descendant_or_error(path_of(each)) for to, each in s["copies"].items()}
    ),
    "mapFieldValues": lambda e, s: map_values.map_values(
        e, path_of(s["path"]), values_function(s["fn"]), dtype_of(s["dtype"]), s["as"]
    ),
    "mapManyValues": lambda e, s: map_values.map_many_values(
        e, path_of(s["parent"]), s["fields"], values_function(s["fn"]), dtype_of(s["dtype"]), s["as"]
    )[0],
    "mapSparse": lambda e, s: map_tensor(map_prensor.map_sparse_tensor, e, s),
    "mapRagged": lambda e, s: map_tensor(map_prensor.map_ragged_tensor, e, s),
    "transformField": lambda e, s: proto.create_transformed_field(
        e, path_of(s["path"]), s["as"], payload_function(s["fn"])
    ),
}


def aligned_paths(step):
    """Returns the fields that must have the same parents. For mapManyValues, struct2tensor does not check this. For
    filterBySibling, struct2tensor's comparison broadcasts, so a single parent may match several."""
    if step["op"] == "mapManyValues":
        return [path_of(step["parent"]).get_child(field) for field in step["fields"]]
    if step["op"] == "filterBySibling":
        path = path_of(step["path"])
        return [path, path.get_parent().get_child(step["sibling"])]
    return []


def query_of(case):
    """Returns the expression of a case, and groups of nodes whose parent indices must be equal."""
    root, aligned = source_of(case), []
    for step in case["query"]:
        aligned.append([root.get_descendant_or_error(each) for each in aligned_paths(step)])
        root = STEPS[step["op"]](root, step)
    return root, [nodes for nodes in aligned if nodes]
