import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  ColumnPath,
  createMessage,
  FeatureSchema,
  FeatureType,
  type Schema,
  SchemaSchema,
} from "@tfxio/schema";
import { DEFAULT_MAX_COLUMNS, RecordError, SchemaError, UnsupportedError } from "@tfxio/wire";
import { aPositiveInteger, assertArgument, assertOptions, invalidArgument } from "@tfxio/wire/checks";
import { DataType, type RecordBatch } from "apache-arrow";
import { anIterableOfRecordBatches, aRecordBatch } from "../argument-rules.js";
import { type ColumnElements, columnElements, fieldElements, nullMask } from "../column/column-access.js";
import { addToSummary, type ColumnSummary, emptySummary, type LevelSummary } from "./column-summary.js";
import { innermostType } from "../array/flatten-nested.js";

type FeatureInit = MessageInitShape<typeof FeatureSchema>;
type ShapeInit = NonNullable<FeatureInit["shapeType"]>;

interface StructSummary {
  numPresent: number;
  readonly fields: Map<string, ColumnSummary>;
}

type Summary = ColumnSummary | StructSummary;

/** Options of {@link inferSchemaFromBatches}. */
export interface InferSchemaOptions {
  /** Maximum number of distinct columns in all batches, including fields of structs. Default 100,000. */
  readonly maxColumns?: number | undefined;
}

/**
 * Infers a TFMD schema from `batches`, with one feature per column in order of first occurrence. As in TFDV:
 * - `type` is the type of the values. A column whose values always have type Null yields no feature.
 * - `presence` has `min_count` 1, or 0 if every row is null. It also has `min_fraction` 1 if the column is present and not null
 *   in every row.
 * - `shape` has one dimension if every row has a list and all lists have the same positive length. Such columns become dense
 *   tensors. There is neither `shape` nor `value_count` if a list is empty or every row is null. In all other cases, there is a
 *   `value_count`. If all lists have the same length but some rows have no list, its `min` and `max` are both that length.
 *   Otherwise, its `min` is 1.
 * - A struct column becomes a STRUCT feature with its fields in `struct_domain`. If all values of its fields have type Null, the
 *   column yields no feature. A field that is a list of lists, such as a feature list, has `value_counts`, outermost first,
 *   instead of `shape` or `value_count`.
 *
 * Reads all batches. To infer from part of the data, pass only the first batches.
 * @throws {SchemaError} `schema-mismatch` (`wrong-kind`) if a column's type differs between batches.
 * @throws {RecordError} `limit-exceeded` (`column-count`) for more than `maxColumns` columns.
 * @throws {UnsupportedError} `unsupported` (`column-type`) unless each column is a flat list of numbers, text or bytes, or a
 *   struct. Each field of a struct must be such a flat list, or a list of such lists. Columns and fields of Null, or of lists of
 *   Null, are ignored.
 * @see tfdv `infer_schema` with `infer_feature_shape`
 */
export async function inferSchemaFromBatches(
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  options: InferSchemaOptions = {},
): Promise<Schema> {
  assertOptions("inferSchemaFromBatches", options, { maxColumns: aPositiveInteger });
  const { maxColumns = DEFAULT_MAX_COLUMNS } = options;
  const columns = new Map<string, Summary>();
  let numRows = 0;
  assertArgument("batches", batches, anIterableOfRecordBatches);
  for await (const batch of batches) {
    if (!aRecordBatch.holds(batch))
      throw invalidArgument("batches", anIterableOfRecordBatches.expected, batch);
    numRows += batch.numRows;
    for (const [index, { name }] of batch.schema.fields.entries()) {
      const data = batch.data.children[index];
      if (data !== undefined) summarize(columns, name, columnElements(data));
    }
    const numColumns = numColumnsOf(columns);
    if (numColumns > maxColumns) throw tooManyColumns(numColumns, maxColumns);
  }
  const feature = Array.from(columns, ([name, column]) => featureOf(name, column, numRows));
  return createMessage(SchemaSchema, { feature: feature.filter((one) => one !== undefined) });
}

function numColumnsOf(columns: ReadonlyMap<string, Summary>): number {
  let count = columns.size;
  for (const column of columns.values()) if ("fields" in column) count += column.fields.size;
  return count;
}

function tooManyColumns(numColumns: number, maxColumns: number): RecordError {
  return new RecordError(
    "limit-exceeded",
    `The batches must have at most ${maxColumns} columns (maxColumns), found ${numColumns} so far.`,
    { reason: "column-count" },
  );
}

/** Adds one column of a batch to the summaries. A struct column is summarized field by field. */
function summarize(columns: Map<string, Summary>, name: string, rows: ColumnElements): void {
  const { type } = rows.data;
  // Columns of Null, and lists of Null, have no feature type.
  if (DataType.isNull(innermostType(type))) return;
  if (!DataType.isStruct(type)) {
    summarizeLists(columns, name, ColumnPath.of(name), rows, 1);
    return;
  }
  let struct = columns.get(name);
  if (struct === undefined) columns.set(name, (struct = { numPresent: 0, fields: new Map() }));
  if (!("fields" in struct)) throw drift(ColumnPath.of(name), typeName(struct), "STRUCT");
  const numNulls = nullMask(rows)?.reduce((sum, isNull) => sum + isNull, 0) ?? 0;
  struct.numPresent += rows.length - numNulls;
  for (const field of type.children) {
    if (DataType.isNull(innermostType(field.type))) continue;
    const path = ColumnPath.of(name, field.name);
    summarizeLists(struct.fields, field.name, path, fieldElements(rows, field.name), 2);
  }
}

/** Adds a column of lists to its summary. @param maxLevels Largest supported number of list levels. */
function summarizeLists(
  columns: Map<string, Summary>,
  name: string,
  path: ColumnPath,
  rows: ColumnElements,
  maxLevels: number,
): void {
  const empty = emptySummary(rows.data.type);
  if (empty === undefined || empty.levels.length > maxLevels) throw unsupported(path, rows.data.type);
  const summary = columns.get(name) ?? empty;
  if (typeName(summary) !== typeName(empty)) throw drift(path, typeName(summary), typeName(empty));
  columns.set(name, summary);
  if (!("fields" in summary)) addToSummary(summary, rows);
}

/** Returns the feature of a column; undefined for a struct none of whose fields has a type. */
function featureOf(name: string, column: Summary, numRows: number): FeatureInit | undefined {
  if ("fields" in column) {
    const fields = Array.from(column.fields, ([field, summary]) => featureOf(field, summary, numRows));
    const feature = fields.filter((field) => field !== undefined);
    if (feature.length === 0) return undefined;
    const presence = presenceOf(column.numPresent, numRows);
    const domain = { case: "structDomain" as const, value: { feature } };
    return { name, type: FeatureType.STRUCT, domainInfo: domain, presenceConstraints: presence };
  }
  const { type, levels } = column;
  const numPresent = levels[0]?.numPresent ?? 0;
  const shapeType = shapeOf(levels, { isRequired: numPresent === numRows });
  const feature = { name, type, presenceConstraints: presenceOf(numPresent, numRows) };
  return shapeType === undefined ? feature : { ...feature, shapeType };
}

function presenceOf(numPresent: number, numRows: number): NonNullable<FeatureInit["presenceConstraints"]> {
  const isRequired = numPresent > 0 && numPresent === numRows;
  const value = { minCount: numPresent > 0 ? 1n : 0n, ...(isRequired && { minFraction: 1 }) };
  return { case: "presence", value };
}

/** Returns the shape or the value counts that hold for every list; undefined if there are none. */
function shapeOf(
  levels: readonly LevelSummary[],
  { isRequired }: { readonly isRequired: boolean },
): ShapeInit | undefined {
  const counts = levels.map(valueCount);
  const [first] = counts;
  if (first === undefined || counts.every(({ min }) => min === undefined)) return undefined;
  if (counts.length > 1) return { case: "valueCounts", value: { valueCount: counts } };
  if (!isRequired || first.max === undefined) return { case: "valueCount", value: first };
  return { case: "shape", value: { dim: [{ size: first.max }] } };
}

/** Returns bounds on the number of values. There are no bounds if a list was empty or no list was present. */
function valueCount({ numPresent, minValues, maxValues }: LevelSummary): { min?: bigint; max?: bigint } {
  if (numPresent === 0 || minValues === 0) return {};
  return minValues === maxValues ? { min: BigInt(minValues), max: BigInt(minValues) } : { min: 1n };
}

/** Names the type of a column, to compare it between batches and to report a difference. */
function typeName(column: Summary): string {
  if ("fields" in column) return "STRUCT";
  const type = FeatureType[column.type] ?? String(column.type);
  return column.levels.length === 1 ? type : `lists of ${type}`;
}

function drift(path: ColumnPath, expected: string, actual: string): SchemaError {
  const columnPath = path.toString();
  return new SchemaError(
    "schema-mismatch",
    `Column "${columnPath}" must be ${expected}, as in an earlier batch, found ${actual}.`,
    { reason: "wrong-kind", columnPath, expected, actual },
  );
}

function unsupported(path: ColumnPath, type: DataType): UnsupportedError {
  return new UnsupportedError(
    "Schema inference requires flat lists of numbers, text or bytes, or structs of lists with at most two levels, " +
      `found ${type} in column "${path.toString()}".`,
    { reason: "column-type", feature: "schema inference of other nested columns" },
  );
}
