"""Creates tables with columns of many types, for CSV, JSON and Arrow files."""

import datetime
import decimal

import pyarrow as pa

NASTY = ["", None, "plain", 'a "quoted" word', "comma, inside", "line\nbreak", "carriage\r\nreturn", " padded ", "héllo 日本", "NA"]


def cells():
    """Returns a table of columns whose values CSV cells can represent."""
    utc = datetime.timezone.utc
    moments = [datetime.datetime(2024, 2, 29, 12, 34, 56), datetime.datetime(1969, 12, 31, 23, 59, 59), None]
    instants = [None if moment is None else moment.replace(tzinfo=utc) for moment in moments]
    integers = {
        type: [2 ** (type.bit_width - signed) - 1, -(2 ** (type.bit_width - 1)) if signed else 0, None, 7]
        for types, signed in (
            ((pa.int8(), pa.int16(), pa.int32(), pa.int64()), 1),
            ((pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()), 0),
        )
        for type in types
    }
    floats = [0.1, -0.0, 1e300, 5e-324, 3.0, None, float("nan"), float("inf"), -float("inf"), 1 / 3]
    singles = [0.1, -0.0, 3.4028234663852886e38, 1.401298464324817e-45, 16777216.0, None, float("nan"), 1 / 3]
    columns = {
        "row": pa.array(range(10), pa.int32()),
        **{str(type): fill(values, type) for type, values in integers.items()},
        "float": fill(singles, pa.float32()),
        "double": fill(floats, pa.float64()),
        "bool": fill([True, False, None], pa.bool_()),
        "string": pa.array(NASTY, pa.string()),
        "large_string": pa.array(NASTY[::-1], pa.large_string()),
        "binary": pa.array([None if text is None else text.encode() for text in NASTY], pa.binary()),
        "date32": fill([datetime.date(2024, 2, 29), datetime.date(1, 1, 1), None], pa.date32()),
        "date64": fill([datetime.date(1969, 12, 31), None], pa.date64()),
        "time32[s]": fill([datetime.time(23, 59, 58), None], pa.time32("s")),
        "time64[us]": fill([datetime.time(0, 0, 1, 250), None], pa.time64("us")),
        **{f"timestamp[{unit}]": fill(moments, pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")},
        "instant": fill(instants, pa.timestamp("us", "UTC")),
        "decimal": fill([decimal.Decimal("-12.50"), decimal.Decimal("0.01"), None], pa.decimal128(20, 2)),
        "word": fill(["a", "b,", None], pa.dictionary(pa.int8(), pa.string())),
    }
    return pa.table(columns)


def nested():
    """Returns a table of columns that Arrow files can hold, but CSV cannot."""
    points = [{"x": 1, "y": [0.5]}, None, {"x": None, "y": []}, {"x": 2**60, "y": None}]
    return pa.table(
        {
            "list": fill([[1, None], [], None, [2**62]], pa.list_(pa.int64())),
            "large": fill([["a", ""], None, []], pa.large_list(pa.large_string())),
            "pair": fill([[1.5, 2.5], None], pa.list_(pa.float32(), 2)),
            "deep": fill([[[1], [2, 3]], [], None, [[], None]], pa.list_(pa.list_(pa.int16()))),
            "struct": fill(points, pa.struct([("x", pa.int64()), ("y", pa.list_(pa.float64()))])),
            "map": fill([[("k", 1), ("l", None)], [], None], pa.map_(pa.string(), pa.int32())),
            "words": fill([["a", "b"], ["a"], None], pa.list_(pa.dictionary(pa.int16(), pa.string()))),
            "half": fill([0.5, None, 65504.0], pa.float16()),
            "fixed": fill([b"abc", None, b"\xff\x00\x01"], pa.binary(3)),
            "bytes": fill([b"\xff\xfe", b"", None], pa.binary()),
            "duration": fill([datetime.timedelta(seconds=90), None], pa.duration("ms")),
            "nothing": pa.nulls(10),
        }
    )


def objects():
    """Returns a table of columns that JSON represents without loss. All floats are finite, because JSON has no other floats."""
    points = [{"x": 1, "y": [0.5]}, None, {"x": None, "y": []}, {"x": 2**60, "y": None}]
    return pa.table(
        {
            "row": pa.array(range(10), pa.int64()),
            "int64": fill([2**63 - 1, -(2**63), None, 7], pa.int64()),
            "double": fill([0.1, -0.5, 1e300, 5e-324, 3.0, None, 1 / 3], pa.float64()),
            "bool": fill([True, False, None], pa.bool_()),
            "string": pa.array(NASTY, pa.string()),
            "list": fill([[1, None], [], None, [2**62]], pa.list_(pa.int64())),
            "struct": fill(points, pa.struct([("x", pa.int64()), ("y", pa.list_(pa.float64()))])),
        }
    )


def fill(values, type):
    """Returns an array of ten rows that repeats `values`."""
    return pa.array([values[row % len(values)] for row in range(10)], type)
