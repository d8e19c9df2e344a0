"""Runs the cases of the array_util and table_util vectors with tfx_bsl."""

import numpy as np
from tfx_bsl.arrow import array_util, table_util
from tfx_bsl.arrow.path import ColumnPath

import bsl_answers as answers
import bsl_inputs as inputs


def gives_array(name, *arguments):
    def run(given, want):
        found = getattr(array_util, name)(*(inputs.array(given[each]) for each in arguments))
        return {"array": answers.array_json(found)}

    return run


def gives_value(name):
    return lambda given, want: {"value": getattr(array_util, name)(inputs.array(given["array"]))}


def made_list(given, want):
    parents, values = inputs.array(given["parent_indices"]), inputs.array(given["values"])
    options = {key: given[key] for key in ("empty_list_as_null",) if key in given}
    made = array_util.MakeListArrayFromParentIndicesAndValues(given["num_parents"], parents, values, **options)
    return {"array": answers.array_json(made)}


def flattened(given, want):
    values, parents = array_util.flatten_nested(inputs.array(given["array"]), given["return_parent_indices"])
    rows = {} if parents is None else {"parent_indices": np.asarray(parents).tolist()}
    return {"array": answers.array_json(values), **rows}


def coordinates(given, want):
    coo, shape = array_util.CooFromListArray(inputs.array(given["array"]))
    return {"coo": np.asarray(coo).tolist(), "dense_shape": np.asarray(shape).tolist()}


ARRAY_OPS = {
    **{
        name: gives_array(name, "array")
        for name in (
            "GetArrayNullBitmapAsByteArray",
            "GetElementLengths",
            "GetFlattenedArrayParentIndices",
            "ListLengthsFromListArray",
            "ToSingletonListArray",
        )
    },
    **{
        name: gives_value(name)
        for name in ("CountInvalidUTF8", "GetBinaryArrayTotalByteSize", "GetByteSize")
    },
    "CooFromListArray": coordinates,
    "FillNullLists": gives_array("FillNullLists", "array", "fill_with"),
    "IndexIn": gives_array("IndexIn", "values", "value_set"),
    "MakeListArrayFromParentIndicesAndValues": made_list,
    "flatten_nested": flattened,
    "get_innermost_nested_type": lambda given, want: {
        "type": answers.type_json(array_util.get_innermost_nested_type(inputs.arrow_type(given["type"])))
    },
    "is_list_like": lambda given, want: {"value": array_util.is_list_like(inputs.arrow_type(given["type"]))},
}


def merged(given, want):
    batch = table_util.MergeRecordBatches([inputs.record_batch(each) for each in given["record_batches"]])
    columns = zip(batch.schema.names, batch.columns)
    found = {
        "columns_by_name": {name: answers.array_json(column) for name, column in columns},
        "column_order": batch.schema.names,
        "num_rows": batch.num_rows,
    }
    return {name: found[name] for name in want if name in found}


def taken(given, want):
    batch = table_util.RecordBatchTake(inputs.record_batch(given["record_batch"]), inputs.array(given["indices"]))
    return {"record_batch": answers.batch_json(batch)}


def canonical(given, want):
    batch = table_util.CanonicalizeRecordBatch(inputs.record_batch(given["record_batch"]))
    return {"record_batch": answers.batch_json(batch)}


def column_at_path(given, want):
    wants_rows, wraps = given["return_example_indices"], given["wrap_flat_struct_in_list"]
    batch = inputs.record_batch(given["record_batch"])
    array, rows = table_util.get_array(batch, ColumnPath(given["path"]), wants_rows, wraps)
    indices = {} if rows is None else {"example_indices": np.asarray(rows).tolist()}
    return {"array": answers.array_json(array), **indices}


def all_columns(given, want):
    batch = inputs.record_batch(given["record_batch"])
    found = table_util.enumerate_arrays(
        batch,
        enumerate_leaves_only=given["enumerate_leaves_only"],
        wrap_flat_struct_in_list=given["wrap_flat_struct_in_list"],
    )
    arrays = [{"path": list(path.steps()), "array": answers.array_json(array)} for path, array in found]
    return {"arrays_any_order": arrays, **{name: want[name] for name in ("compare",) if name in want}}


TABLE_OPS = {
    "CanonicalizeRecordBatch": canonical,
    "MergeRecordBatches": merged,
    "RecordBatchTake": taken,
    "TotalByteSize": lambda given, want: {
        "value": table_util.TotalByteSize(inputs.record_batch(given["record_batch"]))
    },
    "enumerate_arrays": all_columns,
    "get_array": column_at_path,
}
