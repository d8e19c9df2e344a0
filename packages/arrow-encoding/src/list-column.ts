import { ConversionError, SchemaError } from "@tfxio/wire";
import { type Data, DataType, type FixedSizeList, type LargeList, type List } from "apache-arrow";

/** The list types that every reader accepts, in any mixture. */
export type ListType = List | LargeList | FixedSizeList;

/** True for List, LargeList and FixedSizeList. @see tfx_bsl.arrow.array_util.is_list_like */
export function isListType(type: DataType): type is ListType {
  return DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type);
}

/** A list column as rows of a flat column of values, whatever the width of its offsets. */
export interface ListColumn {
  readonly numRows: number;
  /**
   * int32, length `numRows + 1`, never decreasing; above 0 at first in a sliced column. A null row may span values
   * here: ask {@link isNull}.
   */
  readonly rowSplits: Int32Array;
  /** The column that the row splits point into. */
  readonly values: Data;
  /** True when `rowSplits` are the column's own buffer (List), false when they were made (LargeList, FixedSizeList). */
  readonly borrowed: boolean;
  isNull(row: number): boolean;
}

const MAX_POSITION = 2 ** 31 - 1;

/**
 * Row splits and values of a list column.
 * @throws {SchemaError} `schema-mismatch` (`not-a-list`) when the column is no list.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) when it spans 2^31 values or more;
 * `not-convertible` (`malformed-column`) when its offsets decrease or point outside its values.
 */
export function listColumn(data: Data): ListColumn {
  const [values] = data.children;
  if (!isListType(data.type) || values === undefined) {
    throw new SchemaError("schema-mismatch", `Expected a list column, found ${data.type}.`, {
      reason: "not-a-list",
      expected: "List, LargeList or FixedSizeList",
      actual: String(data.type),
    });
  }
  const rowSplits = rowSplitsOf(data, data.type);
  assertSplits(rowSplits, values.length, data.type);
  const hasNulls = data.nullCount > 0;
  return {
    numRows: data.length,
    rowSplits,
    values,
    borrowed: DataType.isList(data.type),
    isNull: (row) => hasNulls && !isValid(data, row),
  };
}

/** True when row `row` of a column that has nulls is not null; without nulls a column may lack the bitmap. */
export function isValid(data: Data, row: number): boolean {
  const position = data.offset + row;
  return (((data.nullBitmap as Uint8Array)[position >> 3] as number) & (1 << (position & 7))) !== 0;
}

/**
 * Offsets as int32, relative to `base`.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) when the last is 2^31 or more.
 */
export function toInt32Offsets(offsets: BigInt64Array, base: bigint, type: DataType): Int32Array {
  const last = offsets.at(-1) ?? base;
  if (last - base > MAX_POSITION) throw tooLarge(type);
  return Int32Array.from(offsets, (offset) => Number(offset - base));
}

function rowSplitsOf(data: Data, type: ListType): Int32Array {
  if (DataType.isFixedSizeList(type)) {
    const { listSize } = type;
    if (data.length * listSize > MAX_POSITION) throw tooLarge(type);
    return Int32Array.from({ length: data.length + 1 }, (_, row) => row * listSize);
  }
  // The Arrow format lets a column of no rows leave out its offsets.
  if (data.length === 0 && data.valueOffsets.length === 0) return new Int32Array(1);
  const offsets = data.valueOffsets.subarray(0, data.length + 1) as Int32Array | BigInt64Array;
  return isBigInt64Array(offsets) ? toInt32Offsets(offsets, 0n, type) : offsets;
}

function isBigInt64Array(array: Int32Array | BigInt64Array): array is BigInt64Array {
  return array[Symbol.toStringTag] === "BigInt64Array";
}

function assertSplits(splits: Int32Array, numValues: number, type: DataType): void {
  let previous = 0;
  for (const split of splits) {
    if (split < previous) throw malformed(type, `offset ${split} follows ${previous}`);
    previous = split;
  }
  if (previous > numValues) throw malformed(type, `offset ${previous} points behind ${numValues} values`);
}

function malformed(type: DataType, finding: string): ConversionError {
  return new ConversionError("not-convertible", `Malformed ${type} column: ${finding}.`, {
    reason: "malformed-column",
  });
}

function tooLarge(type: DataType): ConversionError {
  return new ConversionError(
    "out-of-range",
    `A ${type} column of a batch spans 2^31 values or bytes or more.`,
    {
      reason: "batch-too-large",
    },
  );
}
