import { UnsupportedError } from "@tfxio/wire/errors";
import { type Data, DataType, UnionMode } from "apache-arrow";
import { countOnes } from "../columns/validity.js";
import type { ArrayNode } from "../metadata/message.js";
import { packedBits } from "./packed-bits.js";

/** The arrays and buffers of columns, in the order in which a record batch stores them. Buffers are borrowed if possible. */
export interface Arrays {
  readonly nodes: ArrayNode[];
  readonly buffers: Uint8Array[];
  readonly variadicCounts: number[];
}

/** Returns the indices to write for a dictionary column. */
export type WriteIndices = (data: Data) => ArrayBufferView;

/**
 * Returns the arrays of columns. Slices are reduced to their own rows, offsets are shifted to begin with 0, and nulls are
 * recounted.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a type that Arrow files cannot hold.
 */
export function arraysOf(columns: readonly Data[], writeIndices: WriteIndices): Arrays {
  const collector = new ArrayCollector(writeIndices);
  for (const column of columns) collector.add(column);
  return collector;
}

const nothing = new Uint8Array(0);

class ArrayCollector implements Arrays {
  readonly nodes: ArrayNode[] = [];
  readonly buffers: Uint8Array[] = [];
  readonly variadicCounts: number[] = [];
  readonly #writeIndices: WriteIndices;

  constructor(writeIndices: WriteIndices) {
    this.#writeIndices = writeIndices;
  }

  add(data: Data): void {
    const { type, length, offset, values, children, stride } = data;
    if (DataType.isNull(type)) return void this.nodes.push({ length, nullCount: length });
    if (DataType.isUnion(type)) return this.#union(data);
    const validity = validityOf(data);
    const nullCount = validity.length === 0 ? 0 : length - countOnes(validity, length);
    this.nodes.push({ length, nullCount });
    this.#put(nullCount === 0 ? nothing : validity);
    if (DataType.isDictionary(type)) return this.#put(this.#writeIndices(data));
    if (DataType.isBool(type)) return this.#put(packedBits(values as Uint8Array, offset, length));
    if (DataType.isStruct(type)) return children.forEach((child) => this.add(head(child, length)));
    if (DataType.isFixedSizeList(type)) return this.add(head(children[0] as Data, length * type.listSize));
    if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) return this.#views(data);
    if (data.valueOffsets !== undefined) return this.#ofVariableLength(data);
    if (values === undefined) throw unwritable(type);
    this.#put((values as Uint8Array).subarray(0, length * stride));
  }

  #ofVariableLength(data: Data): void {
    const { length, children } = data;
    const { offsets, first, last } = offsetsFromZero(data.valueOffsets as Int32Array | BigInt64Array, length);
    this.#put(offsets);
    const [child] = children;
    if (child === undefined) this.#put((data.values as Uint8Array).subarray(first, last));
    else this.add(slice(child, first, last));
  }

  #views({ values, length, stride, variadicBuffers }: Data): void {
    this.#put((values as Uint8Array).subarray(0, length * stride));
    variadicBuffers.forEach((bytes) => this.#put(bytes));
    this.variadicCounts.push(variadicBuffers.length);
  }

  #union(data: Data): void {
    const { type, length, children } = data;
    const { mode, typeIds: ids } = type as DataType & { mode: UnionMode; typeIds: Int32Array };
    this.nodes.push({ length, nullCount: 0 });
    const typeIds = (data.typeIds as Int8Array).subarray(0, length);
    this.#put(typeIds);
    if (mode === UnionMode.Sparse) return children.forEach((child) => this.add(head(child, length)));
    const offsets = (data.valueOffsets as Int32Array).slice(0, length);
    const ranges = new Map(Array.from(ids, (id) => [id, { first: Infinity, end: 0 }]));
    for (const [row, offset] of offsets.entries()) {
      const range = ranges.get(typeIds[row] as number);
      if (range === undefined) continue;
      range.first = Math.min(range.first, offset);
      range.end = Math.max(range.end, offset + 1);
    }
    const rebased = offsets.map((offset, row) => offset - (ranges.get(typeIds[row] as number)?.first ?? 0));
    this.#put(rebased);
    children.forEach((child, index) => {
      const { first = 0, end = 0 } = ranges.get(ids[index] as number) ?? {};
      this.add(slice(child, Math.min(first, end), end));
    });
  }

  #put(view: ArrayBufferView): void {
    this.buffers.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
}

function validityOf({ nullBitmap, offset, length }: Data): Uint8Array {
  const bitmap = nullBitmap as Uint8Array | null | undefined;
  return bitmap === null || bitmap === undefined || bitmap.length === 0
    ? nothing
    : packedBits(bitmap, offset, length);
}

/** Returns the offsets of `length` elements, shifted to begin with 0. An array without elements may have no buffer. */
function offsetsFromZero(
  all: Int32Array | BigInt64Array,
  length: number,
): { readonly offsets: Int32Array | BigInt64Array; readonly first: number; readonly last: number } {
  const [first, last] = [Number(all[0] ?? 0), Number(all[length] ?? 0)];
  const isWide = all instanceof BigInt64Array;
  if (length === 0) return { offsets: isWide ? new BigInt64Array(1) : new Int32Array(1), first, last: first };
  const offsets = all.subarray(0, length + 1);
  if (first === 0) return { offsets, first, last };
  const base = BigInt(first);
  const rebased = isWide
    ? (offsets as BigInt64Array).map((offset) => offset - base)
    : (offsets as Int32Array).map((offset) => offset - first);
  return { offsets: rebased, first, last };
}

function head(data: Data, length: number): Data {
  return slice(data, 0, length);
}

function slice(data: Data, start: number, end: number): Data {
  return start === 0 && data.length === end ? data : data.slice(start, end - start);
}

function unwritable(type: DataType): UnsupportedError {
  return new UnsupportedError(`A column of ${type} cannot be written as Arrow.`, {
    reason: "column-type",
    feature: `writing ${type}`,
  });
}
