import { BytesColumn, isUtf8, type PlainValue, shortFloat32, toBase64 } from "@tfxio/arrow-encoding";
import type { HostColumn, HostValues } from "@tfxio/tensor-adapter";
import { listText } from "./cell-text.js";

/**
 * Returns the arrays of a tensor as JSON, with the member names of host columns, except that `nestedRowSplits` becomes
 * `rowSplits`. Integers that are not safe integers become text, and so do NaN and infinities. Bytes that are not UTF-8 become
 * base64.
 */
export function hostColumnJson(column: HostColumn): Record<string, PlainValue> {
  const values = valuesJson(column.values);
  switch (column.kind) {
    case "dense":
      return { shape: [...column.shape], values };
    case "sparse":
      return { denseShape: [...column.denseShape], indices: Array.from(column.indices), values };
    case "ragged":
      return { rowSplits: column.nestedRowSplits.map((splits) => Array.from(splits)), values };
  }
}

/** Formats the values of a tensor as one short line, with indices if it is sparse, or row splits if it is ragged. */
export function hostColumnText(column: HostColumn): string {
  const values = listText(valuesJson(column.values), column.dtype === "string" ? "text" : "number");
  switch (column.kind) {
    case "dense":
      return values;
    case "sparse":
      return `${values} at ${listText(indexRows(column.indices, column.denseShape.length))}`;
    case "ragged":
      return `${values} split at ${column.nestedRowSplits.map((splits) => listText(Array.from(splits))).join(", ")}`;
  }
}

/** Splits row-major indices into one list of `rank` numbers per value. */
function indexRows(indices: Int32Array, rank: number): PlainValue[] {
  return Array.from({ length: indices.length / rank }, (_, row) =>
    Array.from(indices.subarray(row * rank, (row + 1) * rank)),
  );
}

/** Converts values to JSON. Floats get the fewest digits that identify them. */
function valuesJson(values: HostValues): PlainValue[] {
  if (values instanceof BytesColumn) return values.toArray().map(bytesJson);
  if (values instanceof Float32Array) return Array.from(values, (value) => numberJson(value, shortFloat32));
  return Array.from(values as ArrayLike<number | bigint>, (value) => numberJson(value, Number));
}

function numberJson(value: number | bigint, shorten: (value: number) => number): PlainValue {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return Number.isFinite(value) ? shorten(value) : String(value);
}

function bytesJson(bytes: Uint8Array): PlainValue {
  return isUtf8(bytes, 0, bytes.length) ? new TextDecoder().decode(bytes) : { base64: toBase64(bytes) };
}
