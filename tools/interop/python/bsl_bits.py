"""Converts record batches to JSON that keeps every bit. Our batches and those of tfx_bsl are converted in the same way."""

import numpy as np
import pyarrow as pa
import pyarrow.compute

from bsl_answers import to_base64

WORDS_OF = {pa.float16(): np.uint16, pa.float32(): np.uint32, pa.float64(): np.uint64}


def values_bits(array):
    if array.type in WORDS_OF:
        filled = array.fill_null(0) if array.null_count else array
        words = filled.to_numpy(zero_copy_only=False).view(WORDS_OF[array.type])
        return [str(each) for each in words.tolist()]
    values = array.to_pylist()
    if pa.types.is_integer(array.type):
        return [str(each) for each in values]
    return [to_base64(each) if isinstance(each, bytes) else each for each in values]


def array_bits(array):
    """Converts an array. Omits the values that a null list or struct hides."""
    bits = {
        "type": str(array.type),
        "valid": "".join("1" if each else "0" for each in array.is_valid().to_pylist()),
    }
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        lengths = pa.compute.list_value_length(array).to_pylist()
        return bits | {"lengths": lengths, "items": array_bits(array.flatten())}
    if pa.types.is_struct(array.type):
        fields = zip(array.type, array.flatten())
        return bits | {"fields": [{"name": field.name, **array_bits(child)} for field, child in fields]}
    return bits if pa.types.is_null(array.type) else bits | {"values": values_bits(array)}


def batch_bits(batch):
    columns = zip(batch.schema, batch.columns)
    return {
        "rows": batch.num_rows,
        "columns": [
            {"name": field.name, "nullable": field.nullable, **array_bits(column)} for field, column in columns
        ],
    }


def read_batch(path):
    """Returns the only batch of an IPC stream."""
    with pa.ipc.open_stream(path) as reader:
        return reader.read_next_batch()


def fault_of(batch):
    """Returns the error message of pyarrow's full validation, or None if the batch is valid."""
    try:
        batch.validate(full=True)
    except pa.ArrowInvalid as error:
        return str(error)
    return None
