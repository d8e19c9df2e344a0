import type { Limits } from "@tfxio/format";
import { Data, type DataType, type Vector } from "apache-arrow";
import { assertWithin } from "../metadata/damage.js";
import { type ArrayNode, assertLength, type BatchHeader } from "../metadata/message.js";
import type { Layout, StoredColumn } from "../metadata/stored-column.js";
import { bufferCount } from "./buffer-count.js";
import { readDictionaryIndices } from "./dictionary-indices.js";
import { expandListViews } from "./list-views.js";
import { type Offsets, offsetsOf } from "./offsets.js";
import { expandRunEnds } from "./run-ends.js";
import {
  type ArrayContext,
  assertLongEnough,
  contradiction,
  elementsOf,
  type NumberArrayType,
} from "./typed-arrays.js";
import { readTypeIds, readUnionOffsets } from "./unions.js";
import { isValidAt, noNulls, type NullBits, nullBitsOf } from "./validity.js";
import { expandViews } from "./views.js";

/** Settings and dictionaries for reading one batch. */
export interface BatchContext {
  readonly isBigEndian: boolean;
  readonly limits: Limits;
  /** @throws {RecordError} `corrupt-record` (`dictionary`) for a dictionary that was not sent before the batch. */
  dictionary(id: number): Vector;
}

/**
 * Returns the requested columns of a batch. All lengths, bounds, offsets, indices and null counts are checked, so the result is
 * safe to use. Borrows the buffers, except those that must be converted, byte-swapped or aligned.
 * @param buffers Uncompressed buffers. Each has the same index as in the header's list of buffers.
 * @throws {RecordError} `corrupt-record` (`array`, `dictionary`); `malformed-payload` (`metadata`); `limit-exceeded`
 * (`page-length`) for a column that would expand beyond the limit.
 * @throws {UnsupportedError} `unsupported` if unions in list views or runs must be copied.
 */
export function readColumns(
  columns: readonly StoredColumn[],
  header: BatchHeader,
  buffers: readonly Uint8Array[],
  context: BatchContext,
): Data[] {
  const reader = new ArrayReader(header, buffers, context);
  return columns.flatMap((column) => {
    const data = reader.column(column, header.numRows);
    return data === undefined ? [] : [data];
  });
}

type UnionLayout = Layout & { readonly kind: "union" };

/** Reads the arrays and buffers of a batch in the order of its header, which is depth first. */
class ArrayReader {
  readonly #header: BatchHeader;
  readonly #buffers: readonly Uint8Array[];
  readonly #batch: BatchContext;
  #numNodes = 0;
  #numBuffers = 0;
  #numViews = 0;

  constructor(header: BatchHeader, buffers: readonly Uint8Array[], batch: BatchContext) {
    this.#header = header;
    this.#buffers = buffers;
    this.#batch = batch;
  }

  /** Reads the next column. @param length length that the parent requires, if any. @returns undefined for a skipped column. */
  column(column: StoredColumn, length?: number): Data | undefined {
    const node = this.#header.nodes[this.#numNodes++] as ArrayNode;
    if (!column.isRead) {
      this.#skip(column);
      return undefined;
    }
    const { path, layout, field } = column;
    const { place } = this.#header;
    const context: ArrayContext = { path, place, isBigEndian: this.#batch.isBigEndian };
    assertLength(node.length, `elements of column "${path}"`, place);
    if (length !== undefined && node.length !== length) {
      throw contradiction(`has ${node.length} elements, expected ${length}`, context);
    }
    const { type } = field;
    const nulls = (): NullBits => nullBitsOf(this.#next(), node, context);
    switch (layout.kind) {
      case "null":
        return this.#nulls(type, node.length, context);
      case "bits": {
        const { bitmap, nullCount } = nulls();
        const bits = this.#next();
        assertLongEnough(bits, Math.ceil(node.length / 8), context);
        return dataOf(type, node.length, { nullCount, bitmap }, { values: bits });
      }
      case "fixed": {
        const valid = nulls();
        const { byteWidth, units } = layout;
        const numElements = byteWidth === 0 ? 0 : (node.length * byteWidth) / elementBytes(type);
        const values = elementsOf(arrayType(type), this.#next(), numElements, context, units);
        return dataOf(type, node.length, valid, { values });
      }
      case "bytes": {
        const valid = nulls();
        const [offsetBytes, bytes] = [this.#next(), this.#next()];
        const bounds = { ...context, offsetBytes: layout.offsetBytes, end: bytes.length };
        const valueOffsets = offsetsOf(offsetBytes, node.length, bounds);
        return dataOf(type, node.length, valid, { valueOffsets, values: bytes });
      }
      case "views": {
        const valid = nulls();
        const views = this.#next();
        const numBuffers = this.#header.variadicCounts[this.#numViews++] as number;
        const data = Array.from({ length: numBuffers }, () => this.#next());
        const maxBytes = this.#batch.limits.maxPageBytes;
        const expanded = expandViews(views, data, { ...context, length: node.length, valid, maxBytes });
        return dataOf(type, node.length, valid, expanded);
      }
      case "list": {
        const valid = nulls();
        const bytes = this.#next();
        const child = this.#child(column);
        const bounds = { ...context, offsetBytes: layout.offsetBytes, end: child.length };
        return dataOf(type, node.length, valid, {
          valueOffsets: offsetsOf(bytes, node.length, bounds),
          children: [child],
        });
      }
      case "list-view": {
        const valid = nulls();
        const [offsets, sizes] = [this.#next(), this.#next()];
        const child = this.#child(column);
        const maxBytes = this.#batch.limits.maxPageBytes;
        const { offsetBytes } = layout;
        const views = { ...context, length: node.length, valid, offsetBytes, maxBytes };
        return dataOf(type, node.length, valid, expandListViews(offsets, sizes, child, views));
      }
      case "fixed-list": {
        const valid = nulls();
        const child = this.#child(column, node.length * layout.size);
        return dataOf(type, node.length, valid, { children: [child] });
      }
      case "struct": {
        const valid = nulls();
        const children = column.children.flatMap((one) => this.column(one, node.length) ?? []);
        return dataOf(type, node.length, valid, { children });
      }
      case "union":
        return this.#union(column, layout, node, context);
      case "run-ends": {
        const [ends, values] = [this.#child(column), this.#child(column, undefined, 1)];
        const maxBytes = this.#batch.limits.maxPageBytes;
        return expandRunEnds(ends, values, { ...context, length: node.length, maxBytes });
      }
      case "dictionary": {
        const valid = nulls();
        const dictionary = this.#batch.dictionary(layout.id);
        const isValid = (index: number): boolean => isValidAt(valid, index);
        const range = { ...context, ...layout, length: node.length, numValues: dictionary.length, isValid };
        const values = readDictionaryIndices(this.#next(), range);
        return dataOf(type, node.length, valid, { values, dictionary });
      }
    }
  }

  #child({ children }: StoredColumn, length?: number, index = 0): Data {
    return this.column(children[index] as StoredColumn, length) as Data;
  }

  #union(
    { children: parts, field }: StoredColumn,
    layout: UnionLayout,
    node: ArrayNode,
    context: ArrayContext,
  ): Data {
    if (this.#header.hasUnionValidity && nullBitsOf(this.#next(), node, context).nullCount > 0) {
      throw contradiction(
        "is a union with a validity bitmap that has nulls, which Arrow no longer supports",
        context,
      );
    }
    const typeIds = readTypeIds(this.#next(), { ...context, length: node.length, known: layout.typeIds });
    const offsets = layout.isDense ? this.#next() : undefined;
    const length = layout.isDense ? undefined : node.length;
    const children = parts.flatMap((one) => this.column(one, length) ?? []);
    const lengths = new Map(children.map((child, index) => [layout.typeIds[index] as number, child.length]));
    const valueOffsets = offsets && readUnionOffsets(offsets, typeIds, lengths, context);
    return dataOf(field.type, node.length, noNulls, { typeIds, valueOffsets, children });
  }

  /** Returns a column of type Null. It needs a bitmap of zeros, because arrow-js uses it to count the nulls of a slice. */
  #nulls(type: DataType, length: number, { path, place }: ArrayContext): Data {
    const numBytes = Math.ceil(length / 8);
    const what = `the bitmap of column "${path}"`;
    assertWithin(numBytes, this.#batch.limits.maxPageBytes, { place, what, reason: "page-length" });
    return dataOf(type, length, { nullCount: length, bitmap: new Uint8Array(numBytes) }, {});
  }

  #next(): Uint8Array {
    return this.#buffers[this.#numBuffers++] as Uint8Array;
  }

  #skip(column: StoredColumn): void {
    const { layout, children } = column;
    const { hasUnionValidity, variadicCounts } = this.#header;
    this.#numBuffers += bufferCount(layout, {
      hasUnionValidity,
      variadicCount: () => variadicCounts[this.#numViews++] as number,
    });
    for (const child of children) {
      this.#numNodes++;
      this.#skip(child);
    }
  }
}

interface Parts {
  readonly values?: object | undefined;
  readonly valueOffsets?: Offsets | undefined;
  readonly typeIds?: Int8Array | undefined;
  readonly children?: Data[] | undefined;
  readonly dictionary?: Vector | undefined;
}

/** Creates the data of an array whose type is known only at run time. The typings of `makeData` need a static type. */
function dataOf(
  type: DataType,
  length: number,
  { nullCount, bitmap }: NullBits,
  { values, valueOffsets, typeIds, children, dictionary }: Parts,
): Data {
  const buffers = [valueOffsets, values, bitmap, typeIds] as unknown as Data["buffers"];
  return new Data(type, 0, length, nullCount, buffers, children, dictionary);
}

function arrayType(type: DataType): NumberArrayType<ArrayLike<unknown>> {
  return type.ArrayType as NumberArrayType<ArrayLike<unknown>>;
}

function elementBytes(type: DataType): number {
  return arrayType(type).BYTES_PER_ELEMENT;
}
