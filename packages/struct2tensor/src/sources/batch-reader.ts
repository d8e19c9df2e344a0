import {
  type ColumnElements,
  columnElements,
  fieldElements,
  fieldIndex,
  firstNull,
  isListType,
  leafValues,
  listElements,
  nullMask,
} from "@tfxio/arrow-encoding";
import type { HostArrays, DType } from "@tfxio/tensor-adapter";
import { ConversionError, SchemaError } from "@tfxio/wire";
import type { Field, RecordBatch } from "apache-arrow";
import type { NodeValue } from "../operators/node-value.js";
import type { Path } from "../path/path.js";
import { parentsOfSplits } from "../prensor/joins.js";
import type { FieldType } from "../prensor/nodes.js";

/** A field of a batch: its elements and their parents. */
interface ReachedField {
  readonly parentIndex: Int32Array;
  readonly rowSplits?: Int32Array | undefined;
  readonly elements: ColumnElements;
}

/** Reads fields of one batch, and caches their elements and parents. Borrows contiguous values that need no conversion. */
export interface BatchFields {
  /**
   * Returns the value of a field.
   * @throws {ConversionError} `not-convertible` (`null-in-list`) for a null inside a list.
   * @throws {SchemaError} `schema-mismatch`: `unknown-column` if the batch lacks the column, `no-such-field` if a struct lacks
   *   the field.
   */
  field(path: Path, type: FieldType): NodeValue;
}

/** Creates a reader of the fields of one batch. */
export function batchFields(batch: RecordBatch): BatchFields {
  const reached = new Map<string, ReachedField>();
  const reach = (path: Path): ReachedField => {
    const key = path.toString();
    const known = reached.get(key);
    if (known !== undefined) return known;
    const found = openField(
      path.length === 1 ? columnAt(batch, path) : childAt(reach(path.parent()), path),
      path,
    );
    reached.set(key, found);
    return found;
  };
  return {
    field(path, type) {
      const reachedField = reach(path);
      const { elements, rowSplits } = reachedField;
      const { isRepeated } = type;
      const parents = {
        isRepeated,
        rowSplits,
        get parentIndex(): Int32Array {
          return reachedField.parentIndex;
        },
      };
      if (type.kind === "child") return Object.assign(parents, { kind: type.kind });
      const { kind, dtype } = type;
      return Object.assign(parents, { kind, dtype, values: valuesOf(elements, dtype) });
    },
  };
}

function columnAt(batch: RecordBatch, path: Path): ColumnElements {
  const index = fieldIndex(batch.schema.fields, String(path.last()));
  const column = batch.data.children[index];
  if (column === undefined) throw missingColumn(path, batch.schema.fields);
  return columnElements(column);
}

/**
 * Returns the elements of a child. In a list of lists, these are the inner lists. In structs, they are the elements of the field
 * that is named by the last step of the path.
 */
function childAt({ elements }: ReachedField, path: Path): ColumnElements {
  return isListType(elements.data.type) ? elements : fieldElements(elements, String(path.last()));
}

/** Returns the items of a list with their parents, or the non-null elements of a column that is not a list. */
function openField(elements: ColumnElements, path: Path): ReachedField {
  if (!isListType(elements.data.type)) return presentElements(elements);
  const { rowSplits, elements: items } = listElements(elements);
  const null_ = firstNull(items);
  if (null_ >= 0) {
    const parents = parentsOfSplits(rowSplits);
    throw new ConversionError(
      "not-convertible",
      `A query cannot represent the null in list ${parents[null_]} of the column "${path}".`,
      { reason: "null-in-list", columnPath: path.toString() },
    );
  }
  let parentIndex: Int32Array | undefined;
  return {
    // Computed on demand, since ragged tensors need only the row splits.
    get parentIndex() {
      return (parentIndex ??= parentsOfSplits(rowSplits));
    },
    rowSplits,
    elements: items,
  };
}

/** Returns the non-null elements of an optional field, and their positions. */
function presentElements(elements: ColumnElements): ReachedField {
  const mask = nullMask(elements);
  const { data, runs, length } = elements;
  // One extra entry, so that if every element is present, the positions are also the row splits.
  const positions = new Int32Array(length + 1);
  const presentRuns: number[] = [];
  let numPresent = 0;
  let index = 0;
  for (let run = 0; run < runs.length; run += 2) {
    for (let position = runs[run]!; position < runs[run + 1]!; position++, index++) {
      if (mask?.[index] === 1) continue;
      positions[numPresent++] = index;
      if (presentRuns.at(-1) === position) presentRuns[presentRuns.length - 1] = position + 1;
      else presentRuns.push(position, position + 1);
    }
  }
  const kept = presentRuns.length > 0 ? Int32Array.from(presentRuns) : Int32Array.of(0, 0);
  positions[length] = length;
  return {
    parentIndex: positions.subarray(0, numPresent),
    rowSplits: numPresent === length ? positions : undefined,
    elements: { data, runs: kept, length: numPresent, nullable: [] },
  };
}

/** Returns the values of a leaf in the array type of its dtype. */
function valuesOf(elements: ColumnElements, dtype: DType): HostArrays[DType] {
  const values = leafValues(elements);
  // Widens int32 values, because an int64 leaf must hold bigints.
  return dtype === "int64" && values instanceof Int32Array ? BigInt64Array.from(values, BigInt) : values;
}

function missingColumn(path: Path, fields: readonly Field[]): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `The batch has no column "${path}"; it has ${fields.map(({ name }) => name).join(", ") || "none"}.`,
    { reason: "unknown-column", columnPath: path.toString() },
  );
}
