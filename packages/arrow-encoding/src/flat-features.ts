import { ConversionError, SchemaError } from "@tfxio/wire";
import { type FeatureKind as Kind, FeatureKind } from "@tfxio/wire/kernels";
import { type Data, DataType, Precision, type RecordBatch } from "apache-arrow";
import { type ColumnElements, columnElements, firstNull, listElements, nullMask } from "./column-access.js";
import { BytesColumn } from "./column-access-bytes.js";
import { flatValues } from "./column-access-values.js";
import { innermostType } from "./flatten-nested.js";
import { isListType } from "./list-column.js";
import { assertDistinctNames } from "./merge-batches.js";
import type { RaggedFeatures, RaggedPartition } from "./ragged-features.js";
import { widenPositions } from "./widen-positions.js";

/** One feature of every row: what a column, or a level of a ragged one, has for the tf.Examples. */
export interface FlatFeature {
  readonly name: string;
  readonly kind: Exclude<Kind, 0>;
  /** One byte for each row, 1 where it is null and the feature has no kind; undefined when no row is. */
  readonly isNull: Uint8Array | undefined;
  /** Values of row `r` are `rowSplits[r]` to `rowSplits[r + 1]` (exclusive). */
  readonly rowSplits: Int32Array;
  readonly values: BytesColumn | Float32Array | BigInt64Array;
}

const noPartition: readonly RaggedPartition[] = [];

/**
 * The features that the columns of a batch become, in their order; a ragged column's row lengths, outermost first,
 * stand before its values.
 * @throws {SchemaError} `schema-mismatch`: `duplicate-column`, `not-a-list`, `value-type`; `schema-invalid`
 * (`source-conflict`) when two columns give a feature of one name.
 * @throws {ConversionError} `shape-mismatch`: `too-many-levels`, `too-few-levels`, `uniform-length`;
 * `not-convertible` (`cell-value`) for a null in a list.
 */
export function flatFeatures(
  batch: RecordBatch,
  ragged: ReadonlyMap<string, RaggedFeatures>,
): readonly FlatFeature[] {
  assertDistinctNames(batch.schema);
  assertDistinctFeatures(
    batch.schema.fields.map(({ name }) => name),
    ragged,
  );
  return batch.schema.fields.flatMap(({ name }, index) =>
    columnFeatures(name, batch.data.children[index] as Data, ragged.get(name)),
  );
}

function assertDistinctFeatures(
  columns: readonly string[],
  ragged: ReadonlyMap<string, RaggedFeatures>,
): void {
  const seen = new Set<string>();
  for (const column of columns) {
    const { valueName = column, partitions = noPartition } = ragged.get(column) ?? {};
    for (const name of [...partitions.map((partition) => partition.name), valueName]) {
      if (seen.has(name)) {
        throw new SchemaError(
          "schema-invalid",
          `Two columns of the batch are encoded as feature "${name}".`,
          {
            reason: "source-conflict",
            columnPath: column,
          },
        );
      }
      seen.add(name);
    }
  }
}

function columnFeatures(column: string, data: Data, ragged: RaggedFeatures | undefined): FlatFeature[] {
  const partitions = ragged?.partitions ?? noPartition;
  const kind = checkedKind(column, data.type, partitions);
  const rows = columnElements(data);
  const isNull = nullMask(rows);
  let { rowSplits, elements } = listElements(rows);
  const features: FlatFeature[] = [];
  for (const { name, divisor } of partitions) {
    assertNoNull(column, elements, rowSplits);
    const lists = listElements(elements);
    const values = widenPositions(rowLengths(column, lists.rowSplits, divisor));
    features.push({ name, kind: FeatureKind.int64, isNull, rowSplits, values });
    rowSplits = rowSplits.map((split) => lists.rowSplits[split] as number);
    elements = lists.elements;
  }
  assertNoNull(column, elements, rowSplits);
  const values = flatValues(elements).values as FlatFeature["values"];
  features.push({ name: ragged?.valueName ?? column, kind, isNull, rowSplits, values });
  return features;
}

function checkedKind(
  column: string,
  type: DataType,
  partitions: readonly RaggedPartition[],
): FlatFeature["kind"] {
  if (!isListType(type)) {
    throw new SchemaError("schema-mismatch", `Column "${column}" is ${type}, expected lists.`, {
      reason: "not-a-list",
      columnPath: column,
      expected: "List or LargeList",
      actual: String(type),
    });
  }
  const kind = kindOf(innermostType(type));
  // As in tfx_bsl, lists of 32-bit offsets inside lists are levels only where a representation says so.
  const isUndeclared = partitions.length === 0 && DataType.isList(type.valueType as DataType);
  if (kind === undefined || isUndeclared) {
    throw new SchemaError("schema-mismatch", `Column "${column}" is ${type}, which no tf.Example holds.`, {
      reason: "value-type",
      columnPath: column,
      expected: "lists of Float32, Int64, Binary or LargeBinary",
      actual: String(type),
    });
  }
  const levels = numLevels(type.valueType as DataType);
  if (levels === partitions.length) return kind;
  throw new ConversionError(
    "shape-mismatch",
    `Column "${column}" has ${levels} levels of lists below its rows, and its representation ` +
      `${partitions.length} row length partitions.`,
    { reason: levels > partitions.length ? "too-many-levels" : "too-few-levels", columnPath: column },
  );
}

function numLevels(type: DataType): number {
  return isListType(type) ? 1 + numLevels(type.valueType as DataType) : 0;
}

function kindOf(type: DataType): FlatFeature["kind"] | undefined {
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return FeatureKind.bytes;
  if (DataType.isInt(type) && type.bitWidth === 64 && type.isSigned) return FeatureKind.int64;
  return DataType.isFloat(type) && type.precision === Precision.SINGLE ? FeatureKind.float : undefined;
}

function rowLengths(column: string, splits: Int32Array, divisor: number): Int32Array {
  const lengths = new Int32Array(splits.length - 1);
  for (let list = 0; list < lengths.length; list++) {
    const length = (splits[list + 1] as number) - (splits[list] as number);
    if (length % divisor !== 0) {
      throw new ConversionError(
        "shape-mismatch",
        `Column "${column}" has a list of ${length} elements where the representation wants multiples of ${divisor}.`,
        { reason: "uniform-length", columnPath: column },
      );
    }
    lengths[list] = length / divisor;
  }
  return lengths;
}

function assertNoNull(column: string, elements: ColumnElements, rowSplits: Int32Array): void {
  const position = firstNull(elements);
  if (position < 0) return;
  const row = rowSplits.findIndex((split) => split > position) - 1;
  throw new ConversionError(
    "not-convertible",
    `Column "${column}" has a null inside a list of row ${row}; a tf.Example has no place for it.`,
    { reason: "cell-value", columnPath: column, row },
  );
}
