import { ConversionError, SchemaError } from "@tfxio/wire";
import { type FeatureKind as Kind, FeatureKind } from "@tfxio/wire/kernels";
import { type Data, DataType, Precision } from "apache-arrow";
import {
  type ColumnElements,
  columnElements,
  firstNull,
  listElements,
  nullMask,
} from "../column/column-access.js";
import { BytesColumn } from "../column/column-access-bytes.js";
import { flatValues } from "../column/column-access-values.js";
import { innermostType } from "../array/flatten-nested.js";
import { isListType } from "../column/list-column.js";
import type { RaggedFeatures, RaggedPartition } from "./ragged-features.js";
import { widenPositions } from "../column/widen-positions.js";

/** A column of a batch and its name. */
export interface NamedColumn {
  readonly name: string;
  readonly data: Data;
}

/** The values of one feature in all rows or steps. They come from a column, or from one level of a ragged column. */
export interface FlatFeature {
  readonly name: string;
  readonly kind: Exclude<Kind, 0>;
  /** One byte per row, 1 for null. A null row is written as a feature without a kind. Undefined if no row is null. */
  readonly isNull: Uint8Array | undefined;
  /** int32. Row `r` has the values `rowSplits[r]` to `rowSplits[r + 1]` (exclusive). */
  readonly rowSplits: Int32Array;
  /** Values of all rows: bytes, float32 or int64, according to `kind`. May be borrowed from the batch. */
  readonly values: BytesColumn | Float32Array | BigInt64Array;
}

const noPartition: readonly RaggedPartition[] = [];

/**
 * Returns the features of the columns, in column order. A ragged column yields the features that hold its row lengths, outermost
 * level first, and then the feature that holds its values.
 * @throws {SchemaError} `schema-mismatch`: `not-a-list`, `value-type`.
 * @throws {ConversionError} `shape-mismatch`: `too-many-levels`, `too-few-levels`, `uniform-length`; `not-convertible`
 *   (`cell-value`) for a null value in a list.
 */
export function flatFeatures(
  columns: readonly NamedColumn[],
  ragged: ReadonlyMap<string, RaggedFeatures>,
): readonly FlatFeature[] {
  return columns.flatMap(({ name, data }) => columnFeatures(name, data, ragged.get(name)));
}

/** Creates a feature that has no kind in any of its `numRows` rows. */
export function kindlessFeature(name: string, numRows: number): FlatFeature {
  return {
    name,
    kind: FeatureKind.bytes,
    isNull: new Uint8Array(numRows).fill(1),
    rowSplits: new Int32Array(numRows + 1),
    values: BytesColumn.from([]),
  };
}

/**
 * Checks that feature names are distinct.
 * @throws {SchemaError} `schema-invalid` (`source-conflict`) if two columns are encoded as the same feature.
 */
export function assertDistinctFeatures(
  columns: readonly NamedColumn[],
  ragged: ReadonlyMap<string, RaggedFeatures>,
): void {
  const seen = new Set<string>();
  for (const name of columns.flatMap((column) => featureNames(column, ragged))) {
    if (seen.has(name)) {
      throw new SchemaError(
        "schema-invalid",
        `Each feature must be encoded from one column, found two columns for feature "${name}".`,
        {
          reason: "source-conflict",
          columnPath: name,
        },
      );
    }
    seen.add(name);
  }
}

/** Returns the names of the features that encode a column. A column of type Null has no row lengths. */
function featureNames(
  { name, data }: NamedColumn,
  ragged: ReadonlyMap<string, RaggedFeatures>,
): readonly string[] {
  const features = DataType.isNull(data.type) ? undefined : ragged.get(name);
  return features === undefined
    ? [name]
    : [...features.partitions.map((each) => each.name), features.valueName];
}

/** Walks down the levels of a column. Each declared level becomes a feature of row lengths. */
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
    rowSplits = composeSplits(rowSplits, lists.rowSplits);
    elements = lists.elements;
  }
  assertNoNull(column, elements, rowSplits);
  const values = flatValues(elements).values as FlatFeature["values"];
  features.push({ name: ragged?.valueName ?? column, kind, isNull, rowSplits, values });
  return features;
}

/** Returns the feature kind of a column, after checking its type and its number of list levels. */
function checkedKind(
  column: string,
  type: DataType,
  partitions: readonly RaggedPartition[],
): FlatFeature["kind"] {
  if (!isListType(type)) throw notAList(column, type, "lists");
  const kind = kindOf(innermostType(type));
  // As in tfx_bsl, a List inside a list is an unsupported value type if no representation declares row lengths.
  const isUndeclared = partitions.length === 0 && DataType.isList(type.valueType as DataType);
  if (kind === undefined || isUndeclared) throw badValueType(column, type);
  const levels = numLevels(type.valueType as DataType);
  if (levels === partitions.length) return kind;
  throw new ConversionError(
    "shape-mismatch",
    `Column "${column}" must have a tensor representation with one row_length partition for each level of ` +
      `lists inside its rows, found ${partitions.length} for ${levels} ${levels === 1 ? "level" : "levels"}.`,
    { reason: levels > partitions.length ? "too-many-levels" : "too-few-levels", columnPath: column },
  );
}

function numLevels(type: DataType): number {
  return isListType(type) ? 1 + numLevels(type.valueType as DataType) : 0;
}

/** Creates the error for a column without the required levels of lists: `schema-mismatch` (`not-a-list`). */
export function notAList(columnPath: string, type: DataType, expected: string): SchemaError {
  return new SchemaError("schema-mismatch", `Column "${columnPath}" must hold ${expected}, found ${type}.`, {
    reason: "not-a-list",
    columnPath,
    expected,
    actual: String(type),
  });
}

/** Creates the error for a column of lists whose values no feature can hold: `schema-mismatch` (`value-type`). */
export function badValueType(columnPath: string, type: DataType): SchemaError {
  const isDouble =
    isListType(type) && DataType.isFloat(type.valueType) && type.valueType.precision === Precision.DOUBLE;
  const hint = isDouble
    ? " A tf.Example stores floats as float32. Open the data with a schema. " +
      'If values may be rounded, also set the option float64 to "float32-lossy".'
    : "";
  return new SchemaError(
    "schema-mismatch",
    `Column "${columnPath}" must hold lists of Float32, Int64, Binary or LargeBinary, found ${type}.${hint}`,
    {
      reason: "value-type",
      columnPath,
      expected: "lists of Float32, Int64, Binary or LargeBinary",
      actual: String(type),
    },
  );
}

/** Returns the feature kind for values of `type`; undefined if no kind can hold them. */
export function kindOf(type: DataType): FlatFeature["kind"] | undefined {
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return FeatureKind.bytes;
  if (DataType.isInt(type) && type.bitWidth === 64 && type.isSigned) return FeatureKind.int64;
  return DataType.isFloat(type) && type.precision === Precision.SINGLE ? FeatureKind.float : undefined;
}

/** Returns the length of each list divided by `divisor`. */
function rowLengths(column: string, splits: Int32Array, divisor: number): Int32Array {
  const lengths = new Int32Array(splits.length - 1);
  for (let list = 0; list < lengths.length; list++) {
    const length = (splits[list + 1] as number) - (splits[list] as number);
    if (length % divisor !== 0) {
      throw new ConversionError(
        "shape-mismatch",
        `List lengths in column "${column}" must be multiples of ${divisor}, as its representation requires, found ${length}.`,
        { reason: "uniform-length", columnPath: column },
      );
    }
    lengths[list] = length / divisor;
  }
  return lengths;
}

/** Composes the row splits of two levels of lists. The result maps the outer rows directly to the inner lists' values. */
export function composeSplits(outer: Int32Array, inner: Int32Array): Int32Array {
  return outer.map((split) => inner[split] as number);
}

/**
 * Checks that no element is null.
 * @throws {ConversionError} `not-convertible` (`cell-value`). The error names the row.
 */
export function assertNoNull(column: string, elements: ColumnElements, rowSplits: Int32Array): void {
  const position = firstNull(elements);
  if (position < 0) return;
  const row = rowSplits.findIndex((split) => split > position) - 1;
  throw new ConversionError(
    "not-convertible",
    `A list of feature values must not contain null, found null in column "${column}", row ${row}.`,
    { reason: "cell-value", columnPath: column, row },
  );
}
