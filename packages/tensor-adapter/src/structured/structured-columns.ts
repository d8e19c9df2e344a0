import {
  type ColumnElements,
  fieldElements,
  flatValues,
  isListType,
  listElements,
} from "@tfxio/arrow-encoding";
import { DataType, type RecordBatch, type Schema as ArrowSchema } from "apache-arrow";
import { columnType } from "../handlers/column-type.js";
import { dtypeOf } from "../host/dtype.js";
import type { DType } from "../host/host-column.js";
import { assertNoNull, columnRows, noHandler } from "../handlers/tensor-handler.js";
import { RaggedTensorSpec, TensorSpec, type TypeSpec } from "../type-spec.js";
import type { HostStructured, HostStructuredField } from "./host-structured.js";
import type { StructuredTensorRepresentation } from "./representation.js";
import { StructuredTensorSpec } from "./structured-spec.js";

/** Makes a structured tensor from each batch of one schema. */
export interface StructuredHandler {
  readonly typeSpec: StructuredTensorSpec;
  /** Returns the structured tensor of a batch. @throws {ConversionError} without the tensor's name, which the adapter adds. */
  toHost(batch: RecordBatch): HostStructured;
}

/** Position in the nested columns: the current elements and their enclosing lists. */
interface Place {
  readonly elements: ColumnElements;
  /** Row splits of the enclosing lists, outermost first. Each is int32 of length `n + 1` for `n` lists. */
  readonly nestedRowSplits: readonly Int32Array[];
  /** True if any of the row splits is a view of the batch. */
  readonly hasBorrowedSplits: boolean;
  /** Number of rows of the batch. */
  readonly numRows: number;
  /** Dotted path from the top-level column to the elements, for errors. */
  readonly path: string;
}

/**
 * Creates the handler for a structured tensor whose fields are top-level columns.
 * @throws {ConversionError} `not-convertible` (`no-handler`) if a column is missing, or if a leaf holds anything but
 * numbers or bytes.
 */
export function structuredHandler(
  { columnNames, rowPartitionDtype: rowSplitsDtype = "int64" }: StructuredTensorRepresentation,
  schema: ArrowSchema,
): StructuredHandler {
  const specs = columnNames.map(
    (name) => [name, fieldSpec(columnType(schema, name), 0, name, rowSplitsDtype)] as const,
  );
  return {
    typeSpec: new StructuredTensorSpec([null], new Map(specs)),
    toHost: (batch) => {
      const { numRows } = batch;
      const fields = columnNames.map((name): [string, HostStructuredField] => [
        name,
        fieldAt(
          {
            elements: columnRows(batch, name),
            nestedRowSplits: [],
            hasBorrowedSplits: false,
            numRows,
            path: name,
          },
          rowSplitsDtype,
        ),
      ]);
      return {
        kind: "structured",
        numRows,
        nestedRowSplits: [],
        fields: Object.fromEntries(fields),
        rowSplitsDtype,
      };
    },
  };
}

function fieldSpec(
  type: DataType,
  numLists: number,
  path: string,
  rowSplitsDtype: "int32" | "int64",
): TypeSpec | StructuredTensorSpec {
  if (isListType(type)) return fieldSpec(type.valueType as DataType, numLists + 1, path, rowSplitsDtype);
  const shape = [null, ...Array<null>(numLists).fill(null)];
  if (DataType.isStruct(type)) {
    const fields = type.children.map(
      ({ name, type: inner }) =>
        [name, fieldSpec(inner as DataType, numLists, `${path}.${name}`, rowSplitsDtype)] as const,
    );
    return new StructuredTensorSpec(shape, new Map(fields));
  }
  const dtype = dtypeOf(type);
  if (dtype === undefined)
    throw noHandler(`Path "${path}" must end in numbers or bytes, found ${type}.`, path);
  return numLists === 0
    ? new TensorSpec(shape, dtype)
    : new RaggedTensorSpec(shape, dtype, numLists, rowSplitsDtype);
}

function fieldAt(place: Place, rowSplitsDtype: "int32" | "int64"): HostStructuredField {
  const { elements, nestedRowSplits, hasBorrowedSplits, numRows, path } = place;
  const { type } = elements.data;
  if (isListType(type)) {
    const list = listElements(elements);
    const inner = {
      ...place,
      elements: list.elements,
      nestedRowSplits: [...nestedRowSplits, list.rowSplits],
      hasBorrowedSplits: hasBorrowedSplits || list.borrowed,
    };
    return fieldAt(inner, rowSplitsDtype);
  }
  if (DataType.isStruct(type)) {
    const fields = type.children.map(({ name }): [string, HostStructuredField] => {
      const inner = { ...place, elements: fieldElements(elements, name), path: `${path}.${name}` };
      return [name, fieldAt(inner, rowSplitsDtype)];
    });
    return {
      kind: "structured",
      numRows,
      nestedRowSplits,
      fields: Object.fromEntries(fields),
      rowSplitsDtype,
    };
  }
  assertNoNull(elements, nestedRowSplits, path);
  const { values, borrowed } = flatValues(elements);
  const dtype = dtypeOf(type) as DType;
  if (nestedRowSplits.length === 0) return { kind: "dense", dtype, shape: [numRows], values, borrowed };
  return {
    kind: "ragged",
    dtype,
    values,
    nestedRowSplits,
    innerShape: [],
    rowSplitsDtype,
    borrowed: borrowed || hasBorrowedSplits,
  };
}
