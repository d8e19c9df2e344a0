import { RecordError, SchemaError } from "@tfxio/wire";
import {
  type Data,
  DataType,
  type Field,
  type FixedSizeList,
  type List,
  makeData,
  RecordBatch,
  type Schema as ArrowSchema,
} from "apache-arrow";
import { MAX_POSITION } from "../column/column-access-offsets.js";
import { gatherData } from "../gather/gather-rows.js";
import { isValid } from "../column/list-column.js";
import { zeroColumn } from "../column/null-column.js";
import { recordBatchOf } from "../table/record-batch.js";
import type { RowOrigins } from "./row-origins.js";

/** The column, row and record of a list, for error messages. */
interface Place {
  readonly columnPath: string;
  /** Returns the row of the batch that contains entry `entry` of the column. */
  readonly rowOf: (entry: number) => number;
  readonly origins: RowOrigins;
}

/**
 * Converts List columns of a decoded batch to the FixedSizeList columns of `schema`. Shares a column's values if it has no null
 * lists. Otherwise copies them, because Arrow requires `listSize` values even for a null list. Added values are zero or empty.
 * @throws {SchemaError} `schema-mismatch` (`list-length`) for a list of a different length.
 * @throws {RecordError} `limit-exceeded` (`batch-too-large`) if null lists expand a column to 2^31 values or more.
 */
export function withFixedSizeLists(
  batch: RecordBatch,
  schema: ArrowSchema,
  origins: RowOrigins,
): RecordBatch {
  const columns = batch.data.children.map((data, index) => {
    const { name, type } = schema.fields[index] as Field;
    return convert(data, type, { columnPath: name, rowOf: (row) => row, origins });
  });
  return recordBatchOf(schema, batch.numRows, columns);
}

/** Converts a column to `target`. If `target` is the same object as the column's type, there is nothing to convert. */
function convert(data: Data, target: DataType, place: Place): Data {
  if (target === data.type) return data;
  const { length, nullCount } = data;
  if (DataType.isStruct(target)) {
    const children = (target.children as readonly Field[]).map(({ name, type }, index) =>
      convert(data.children[index] as Data, type, { ...place, columnPath: `${place.columnPath}.${name}` }),
    );
    return makeData({ type: target, length, nullCount, children });
  }
  const type = target as List | FixedSizeList;
  const offsets = data.valueOffsets as Int32Array;
  const rowOf = (entry: number): number => place.rowOf(offsets.findLastIndex((offset) => offset <= entry));
  const child = convert(data.children[0] as Data, type.valueType, { ...place, rowOf });
  const common = { length, nullCount, nullBitmap: nullCount > 0 ? data.nullBitmap : undefined };
  if (DataType.isList(type)) return makeData({ type, ...common, valueOffsets: offsets, child });
  assertLengths(data, type.listSize, place);
  const values = nullCount === 0 ? child : withHiddenValues(data, child, type.listSize, place);
  return makeData({ type, ...common, child: values });
}

/**
 * Checks the length of every list that is not null. The error has the record's index, unless other records of the same push were
 * skipped.
 */
function assertLengths(data: Data, listSize: number, { columnPath, rowOf, origins }: Place): void {
  const offsets = data.valueOffsets as Int32Array;
  for (let entry = 0; entry < data.length; entry++) {
    const found = (offsets[entry + 1] as number) - (offsets[entry] as number);
    if (found === listSize || isNull(data, entry)) continue;
    const row = rowOf(entry);
    const location = origins.locate(row);
    const { uri, recordIndex } = location;
    const record = recordIndex === undefined ? `row ${row} of the batch` : `record ${recordIndex}`;
    throw new SchemaError(
      "schema-mismatch",
      `Every list of "${columnPath}" must have ${listSize} values, as the schema declares, found ${found} in ${record}` +
        `${uri === undefined ? "" : ` of ${uri}`}.`,
      { reason: "list-length", columnPath, expected: String(listSize), actual: String(found), ...location },
    );
  }
}

function isNull(data: Data, entry: number): boolean {
  return data.nullCount > 0 && !isValid(data, entry);
}

/** Copies the values of all lists, and inserts `listSize` zero values for each null list. */
function withHiddenValues(data: Data, values: Data, listSize: number, place: Place): Data {
  assertCount(data.length * listSize * sizeOf(values.type), place);
  const source = Uint32Array.from({ length: data.length }, (_, entry) => (isNull(data, entry) ? 1 : 0));
  const offsets = data.valueOffsets as Int32Array;
  const start = source.map((hidden, entry) => (hidden === 1 ? 0 : (offsets[entry] as number)));
  const end = start.map((first) => first + listSize);
  const ranges = { count: data.length, source, start, end };
  return gatherData(values.type, [values, zeroColumn(values.type, listSize)], ranges, "values");
}

/** Returns the number of innermost values per value of `type`: above 1 only for fixed-size lists. */
function sizeOf(type: DataType): number {
  return DataType.isFixedSizeList(type) ? type.listSize * sizeOf(type.valueType) : 1;
}

/** Checks that a column, including the values for null lists, has fewer than 2^31 values. */
function assertCount(numValues: number, { columnPath }: Place): void {
  if (numValues <= MAX_POSITION) return;
  throw new RecordError(
    "limit-exceeded",
    `Column "${columnPath}" must have at most ${MAX_POSITION} values, including those for null lists, found ${numValues}; ` +
      "use smaller batches.",
    { reason: "batch-too-large" },
  );
}
