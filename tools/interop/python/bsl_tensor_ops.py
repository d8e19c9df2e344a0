"""Runs the cases of the tensor_adapter and tensor_to_arrow vectors with tfx_bsl."""

from tfx_bsl.tfxio.tensor_adapter import TensorAdapter, TensorAdapterConfig
from tfx_bsl.tfxio.tensor_to_arrow import TensorsToRecordBatchConverter

import bsl_answers as answers
import bsl_inputs as inputs


def adapter_of(given):
    if "arrow_schema" in given:
        schema = inputs.arrow_schema(given["arrow_schema"])
    else:
        schema = inputs.record_batch(given["record_batch"]).schema
    specs = {}
    if "original_type_specs" in given:
        specs["original_type_specs"] = inputs.type_specs(given["original_type_specs"])
    representations = inputs.representations(given["tensor_representations"])
    return TensorAdapter(TensorAdapterConfig(schema, representations, **specs))


def has_negative_size(representations):
    return any(
        dimension.size < 0
        for each in representations.values()
        for dimension in each.sparse_tensor.dense_shape.dim
    )


def batch_tensors(adapter, batch, representations):
    """Converts a batch to eager tensors, as users get them. If a sparse tensor has a dimension of unknown size, converts the
    batch to NumPy values instead, because TensorFlow has no such eager tensors."""
    return adapter.ToBatchTensors(batch, produce_eager_tensors=not has_negative_size(representations))


def to_tensors(given, want):
    adapter = adapter_of(given)
    representations = inputs.representations(given["tensor_representations"])
    tensors = batch_tensors(adapter, inputs.record_batch(given["record_batch"]), representations)
    specs = {"type_specs": answers.type_specs_json(adapter.TypeSpecs())} if "type_specs" in want else {}
    return {"tensors": answers.tensors_json(tensors), **specs}


def constructed(given, want):
    adapter_of(given)
    return {}


ADAPTER_OPS = {
    "construct": constructed,
    "to_tensors": to_tensors,
    "type_specs": lambda given, want: {"type_specs": answers.type_specs_json(adapter_of(given).TypeSpecs())},
}


def converter_of(given):
    names = frozenset(given.get("generic_sparse_tensor_names", []))
    options = TensorsToRecordBatchConverter.Options(generic_sparse_tensor_names=names)
    return TensorsToRecordBatchConverter(inputs.type_specs(given["type_specs"]), options)


def converter_constructed(given, want):
    converter_of(given)
    return {}


def converted(given, want):
    converter = converter_of(given)
    batch = converter.convert({name: inputs.tensor(each) for name, each in given["tensors"].items()})
    representations = converter.tensor_representations()
    found = {}
    if "record_batch" in want:
        found["record_batch"] = answers.batch_json(batch)
    if "tensor_representations" in want:
        found["tensor_representations"] = answers.representations_json(representations)
    if "round_trip_identity" in want or "round_trip_tensors" in want:
        adapter = TensorAdapter(TensorAdapterConfig(converter.arrow_schema(), representations))
        tensors = batch_tensors(adapter, batch, representations)
        found["round_trip_tensors"] = answers.tensors_json(tensors)
    return found


CONVERTER_OPS = {"construct": converter_constructed, "convert": converted}
