"""parquet_rows.py FILE…: reads Parquet files with pyarrow and prints a JSON object with the columns of each file.

Integers are printed as strings. So are dates and times, as the number of units of their type. Decimals are strings, and bytes are
lists.
Floats are converted to doubles, whose little-endian bytes are printed in hexadecimal. NaN is "NaN".
"""

import json
import struct
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def plain(scalar):
    kind = scalar.type
    if not scalar.is_valid:
        return None
    if pa.types.is_dictionary(kind):
        return plain(scalar.value) if isinstance(scalar.value, pa.Scalar) else plain(pa.scalar(scalar.as_py(), kind.value_type))
    if isinstance(scalar, pa.ExtensionScalar):
        return plain(scalar.value)
    if pa.types.is_struct(kind):
        return [[kind.field(i).name, plain(scalar[i])] for i in range(kind.num_fields)]
    if pa.types.is_map(kind):
        return [[plain(entry[0]), plain(entry[1])] for entry in scalar.values] if scalar.values is not None else []
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return [plain(item) for item in scalar.values]
    if pa.types.is_temporal(kind):
        return str(scalar.value)
    if pa.types.is_boolean(kind):
        return scalar.as_py()
    if pa.types.is_integer(kind):
        return str(scalar.as_py())
    if pa.types.is_floating(kind):
        value = float(scalar.as_py())
        return "NaN" if value != value else struct.pack("<d", value).hex()
    value = scalar.as_py()
    return list(value) if isinstance(value, bytes) else str(value)


answers = {}
for path in sys.argv[1:]:
    try:
        table = pq.read_table(path, use_threads=False)
    except Exception as error:
        answers[path] = {"error": str(error)[:200]}
        continue
    answers[path] = {
        "names": table.column_names,
        "columns": [[plain(scalar) for scalar in column] for column in table.columns],
    }
print(json.dumps(answers))
