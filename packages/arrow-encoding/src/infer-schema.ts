import { create } from "@bufbuild/protobuf";
import {
  type Feature,
  FeaturePresenceSchema,
  FeatureSchema,
  FeatureType,
  FixedShapeSchema,
  type Schema,
  SchemaSchema,
  ValueCountSchema,
} from "@tfxio/schema";
import { SchemaError, UnsupportedError } from "@tfxio/wire";
import { type Data, DataType, type RecordBatch } from "apache-arrow";
import { isListType, listColumn } from "./list-column.js";

/** What was seen of one column so far. */
interface ColumnSummary {
  readonly type: FeatureType;
  numPresent: number;
  minValues: number;
  maxValues: number;
}

/**
 * A TFMD schema for what `batches` hold, one feature per column in the order of first occurrence. As in TFDV:
 * - `type` is that of the values; a column that never has any type (Null) gives no feature.
 * - `presence` has `min_count` 1, and `min_fraction` 1 when no row is null or lacks the column.
 * - `shape` is one dimension of that size when every row is present with the same number of values, at least one:
 *   these become dense tensors. Otherwise `value_count` has `min` 1, or the common number as `min` and `max`, unless
 *   a list was empty.
 * Takes what it is given: for a part of the data, hand in the first batches only.
 * @throws {SchemaError} `schema-mismatch` (`wrong-kind`) when a column's type differs between batches.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for columns that are no flat lists of numbers or bytes.
 * @see tfdv `infer_schema` with `infer_feature_shape`
 */
export async function inferSchemaFromBatches(
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
): Promise<Schema> {
  const columns = new Map<string, ColumnSummary>();
  let numRows = 0;
  for await (const batch of batches) {
    numRows += batch.numRows;
    for (const [index, { name }] of batch.schema.fields.entries()) {
      const data = batch.data.children[index];
      if (data !== undefined && !DataType.isNull(data.type)) summarize(columns, name, data);
    }
  }
  return create(SchemaSchema, {
    feature: Array.from(columns, ([name, column]) => featureOf(name, column, numRows)),
  });
}

function summarize(columns: Map<string, ColumnSummary>, name: string, data: Data): void {
  const type = featureType(name, data.type);
  let summary = columns.get(name);
  if (summary === undefined) {
    summary = { type, numPresent: 0, minValues: Infinity, maxValues: 0 };
    columns.set(name, summary);
  }
  if (summary.type !== type) {
    const expected = FeatureType[summary.type];
    const actual = FeatureType[type];
    throw new SchemaError(
      "schema-mismatch",
      `Column "${name}" is ${actual} in one batch and ${expected} in another before.`,
      { reason: "wrong-kind", columnPath: name, expected, actual },
    );
  }
  const column = listColumn(data);
  const { numRows, rowSplits } = column;
  for (let row = 0; row < numRows; row++) {
    if (column.isNull(row)) continue;
    const numValues = (rowSplits[row + 1] as number) - (rowSplits[row] as number);
    summary.numPresent++;
    summary.minValues = Math.min(summary.minValues, numValues);
    summary.maxValues = Math.max(summary.maxValues, numValues);
  }
}

function featureOf(name: string, column: ColumnSummary, numRows: number): Feature {
  const { type, numPresent, minValues, maxValues } = column;
  const isRequired = numPresent > 0 && numPresent === numRows;
  const presence = create(FeaturePresenceSchema, {
    minCount: numPresent > 0 ? 1n : 0n,
    ...(isRequired && { minFraction: 1 }),
  });
  const feature = create(FeatureSchema, {
    name,
    type,
    presenceConstraints: { case: "presence", value: presence },
  });
  if (numPresent === 0 || minValues === 0) return feature;
  const isFixed = minValues === maxValues;
  const size = BigInt(minValues);
  if (isFixed && isRequired) {
    feature.shapeType = { case: "shape", value: create(FixedShapeSchema, { dim: [{ size }] }) };
  } else {
    const value = create(ValueCountSchema, isFixed ? { min: size, max: size } : { min: 1n });
    feature.shapeType = { case: "valueCount", value };
  }
  return feature;
}

function featureType(name: string, type: DataType): FeatureType {
  if (isListType(type)) {
    const { valueType } = type;
    if (DataType.isInt(valueType)) return FeatureType.INT;
    if (DataType.isFloat(valueType)) return FeatureType.FLOAT;
    const isBytes = [DataType.isBinary, DataType.isLargeBinary, DataType.isUtf8, DataType.isLargeUtf8];
    if (isBytes.some((is) => is(valueType))) return FeatureType.BYTES;
  }
  throw new UnsupportedError(
    `Column "${name}" is ${type}; a schema is inferred from flat lists of numbers or bytes.`,
    {
      reason: "column-type",
      feature: "schema inference of nested or unlisted columns",
    },
  );
}
