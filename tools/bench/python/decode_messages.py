"""Decodes protobuf messages for `pnpm bench proto`. Usage: decode_messages.py tensorflow | struct2tensor | python-protobuf.

First prints {"version"} on stdout. Then answers each line of JSON on stdin, {"path", "descriptor", "message"}, with a line of
JSON on stdout, {"seconds", "numValues"}: the time to decode every record of the file in batches of 4096, and the number of
values in all leaves. The file is read into memory before the clock starts.
"""

import base64
import functools
import json
import os
import struct
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

BATCH = 4096
Field = descriptor_pb2.FieldDescriptorProto
PACKED = descriptor_pb2.FeatureSet.PACKED


def length_prefixed(path):
    """Returns the records of a file. Each record is preceded by its length as a little-endian uint32."""
    data = open(path, "rb").read()
    records, at = [], 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        records.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return records


@functools.lru_cache(maxsize=2)
def records_of(path):
    records = length_prefixed(path)
    return [records[i : i + BATCH] for i in range(0, len(records), BATCH)]


@functools.lru_cache(maxsize=4)
def proto2_files(descriptor):
    """Returns the descriptors rewritten as proto2, because TensorFlow's protobuf does not support editions."""
    files = descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(descriptor))
    for file in files.file:
        file.syntax = "proto2"
        file.ClearField("edition")
        for message in file.message_type:
            for field in message.field:
                packed = field.options.features.repeated_field_encoding == PACKED
                field.ClearField("options")
                if packed:
                    field.options.packed = True
    return files


@functools.lru_cache(maxsize=4)
def type_of(descriptor, name):
    files = proto2_files(descriptor)
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return pool.FindMessageTypeByName(name)


def tensorflow_reader():
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    types = {
        Field.TYPE_INT64: tf.int64,
        Field.TYPE_INT32: tf.int32,
        Field.TYPE_FLOAT: tf.float32,
        Field.TYPE_DOUBLE: tf.float64,
        Field.TYPE_STRING: tf.string,
        Field.TYPE_BYTES: tf.string,
        Field.TYPE_MESSAGE: tf.string,
    }

    def decode(records, desc, source):
        # decode_proto returns submessages as bytes, in tensors padded to the longest list. The mask removes the padding
        # before the next level is decoded.
        names = [field.name for field in desc.fields]
        kinds = [types[field.type] for field in desc.fields]
        sizes, values = tf.io.decode_proto(records, desc.full_name, names, kinds, descriptor_source=source)
        total = 0
        for index, field in enumerate(desc.fields):
            if field.type == Field.TYPE_MESSAGE:
                mask = tf.sequence_mask(sizes[:, index], tf.shape(values[index])[1])
                total += decode(tf.boolean_mask(values[index], mask), field.message_type, source)
            else:
                total += int(tf.reduce_sum(sizes[:, index]))
        return total

    def read(batches, descriptor, name):
        source = b"bytes://" + proto2_files(descriptor).SerializeToString()
        desc = type_of(descriptor, name)
        tensors = [tf.constant(batch) for batch in batches]
        start = time.perf_counter()
        total = sum(decode(batch, desc, source) for batch in tensors)
        return time.perf_counter() - start, total

    return f"tf.io.decode_proto, {tf.__version__}", read


def struct2tensor_reader():
    import struct2tensor as s2t
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)

    def leaves(desc, prefix=()):
        for field in desc.fields:
            if field.type == Field.TYPE_MESSAGE:
                yield from leaves(field.message_type, (*prefix, field.name))
            else:
                yield s2t.path.Path((*prefix, field.name))

    @functools.lru_cache(maxsize=4)
    def function_of(descriptor, name):
        desc = type_of(descriptor, name)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def parse(records):
            root = s2t.create_expression_from_proto(records, desc)
            (prensor,) = s2t.calculate_prensors([root.project(list(leaves(desc)))])
            nodes = [part.node for part in prensor.get_descendants().values()]
            return [node.values for node in nodes if isinstance(node, s2t.LeafNodeTensor)]

        return parse

    def read(batches, descriptor, name):
        parse = function_of(descriptor, name)
        tensors = [tf.constant(batch) for batch in batches]
        parse(tensors[0])
        start = time.perf_counter()
        found = [parse(batch) for batch in tensors]
        seconds = time.perf_counter() - start
        return seconds, sum(int(tf.size(values)) for batch in found for values in batch)

    from importlib.metadata import version

    return f"{version('struct2tensor')}, tensorflow {tf.__version__}", read


def python_protobuf_reader():
    import google.protobuf
    from google.protobuf.internal import api_implementation

    def count(message, desc):
        # Touches each value once, like a program that builds columns from the values.
        total = 0
        for field in desc.fields:
            if field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED:
                values = getattr(message, field.name)
            else:
                values = [getattr(message, field.name)] if message.HasField(field.name) else []
            if field.type == Field.TYPE_MESSAGE:
                total += sum(count(value, field.message_type) for value in values)
            else:
                total += len(list(values))
        return total

    def read(batches, descriptor, name):
        desc = type_of(descriptor, name)
        cls = message_factory.GetMessageClass(desc)
        start = time.perf_counter()
        total = sum(count(cls.FromString(record), desc) for batch in batches for record in batch)
        return time.perf_counter() - start, total

    return f"{google.protobuf.__version__} ({api_implementation.Type()}), no columns", read


READERS = {
    "tensorflow": tensorflow_reader,
    "struct2tensor": struct2tensor_reader,
    "python-protobuf": python_protobuf_reader,
}


def main():
    version, read = READERS[sys.argv[1]]()
    print(json.dumps({"version": version}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        seconds, total = read(records_of(request["path"]), request["descriptor"], request["message"])
        print(json.dumps({"seconds": seconds, "numValues": total}), flush=True)


if __name__ == "__main__":
    main()
