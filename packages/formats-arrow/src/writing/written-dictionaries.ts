import { emptyBatch } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire/errors";
import { type Data, DataType, type Dictionary, Field, Schema as ArrowSchema } from "apache-arrow";
import { type Arrays, arraysOf } from "./arrays.js";

/** A dictionary batch to write before the next record batch. */
export interface DictionaryContent {
  readonly id: number;
  readonly isDelta: boolean;
  readonly numRows: number;
  readonly arrays: Arrays;
}

/** A part of a dictionary's values that has been written. */
interface WrittenChunk {
  /** The most recent array with these values. Comparing arrays by identity saves most comparisons of values. */
  data: Data;
  readonly arrays: Arrays;
}

/**
 * The written dictionaries of a file or stream. If a dictionary extends the previous dictionary with the same id, only the new
 * values are written. Otherwise, a stream replaces the dictionary. A file cannot do that. It keeps the old values, appends the
 * missing ones, and shifts the indices.
 */
export class WrittenDictionaries {
  readonly #chunks = new Map<number, WrittenChunk[]>();
  readonly #canReplace: boolean;
  #waiting: DictionaryContent[] = [];

  constructor({ canReplace }: { readonly canReplace: boolean }) {
    this.#canReplace = canReplace;
  }

  /**
   * Returns the arrays of columns, with the dictionary batches to write before them.
   * @throws {ConversionError} `out-of-range` (`dictionary-index`) if shifted indices no longer fit their type.
   */
  arraysOf(
    columns: readonly Data[],
    fields: readonly Field[],
  ): { readonly arrays: Arrays; readonly dictionaries: readonly DictionaryContent[] } {
    this.#waiting = [];
    const arrays = this.#arrays(
      columns,
      fields.map(({ type }) => type),
    );
    return { arrays, dictionaries: this.#waiting };
  }

  /** @param types Types of the columns, with the dictionary ids of the file. */
  #arrays(columns: readonly Data[], types: readonly DataType[]): Arrays {
    const ids = types.flatMap(dictionariesIn);
    let next = 0;
    return arraysOf(columns, (data) => this.#indices(data, ids[next++] as Dictionary));
  }

  #indices(data: Data, type: Dictionary): ArrayBufferView {
    const shift = this.#place(type, data);
    const indices = (data.values as Int32Array).subarray(0, data.length);
    if (shift === 0) return indices;
    const shifted = indices.map((index) => index + shift);
    const isKept = indices.every((index, row) => shifted[row] === index + shift);
    if (isKept) return shifted;
    throw new ConversionError(
      "out-of-range",
      `The dictionaries of the batches together have more values than ${type.indices} indices can address.`,
      { reason: "dictionary-index" },
    );
  }

  /** Ensures that the values are written, and returns the index of the first one. */
  #place(type: Dictionary, { dictionary }: Data): number {
    const { id } = type;
    const values = type.dictionary as DataType;
    const given: readonly Data[] = dictionary?.data ?? [];
    const chunks = given.length > 0 ? given : [emptyColumn(values)];
    const written = this.#chunks.get(id) ?? [];
    this.#chunks.set(id, written);
    const encoded = chunks.map((data, at) =>
      written[at]?.data === data ? written[at] : this.#chunk(data, values),
    );
    for (let first = 0; first <= written.length; first++) {
      if (first === written.length && written.length > 0 && this.#canReplace) break;
      const known = written.slice(first, first + encoded.length);
      if (!known.every((chunk, at) => isSame(chunk, encoded[at] as WrittenChunk))) continue;
      if (first > 0 && this.#canReplace) continue;
      known.forEach((chunk, at) => (chunk.data = chunks[at] as Data));
      this.#append(id, written, encoded.slice(known.length));
      return written.slice(0, first).reduce((sum, { data }) => sum + data.length, 0);
    }
    written.length = 0;
    this.#append(id, written, encoded);
    return 0;
  }

  #chunk(data: Data, type: DataType): WrittenChunk {
    return { data, arrays: this.#arrays([data], [type]) };
  }

  #append(id: number, written: WrittenChunk[], chunks: readonly WrittenChunk[]): void {
    for (const chunk of chunks) {
      const isDelta = written.length > 0;
      this.#waiting.push({ id, isDelta, numRows: chunk.data.length, arrays: chunk.arrays });
      written.push(chunk);
    }
  }
}

/** Returns the dictionaries of a type in the order of their index arrays. Excludes dictionaries within another's values. */
function dictionariesIn(type: DataType): Dictionary[] {
  if (DataType.isDictionary(type)) return [type];
  const children: readonly Field[] = type.children ?? [];
  return children.flatMap((child) => dictionariesIn(child.type));
}

function emptyColumn(type: DataType): Data {
  return emptyBatch(new ArrowSchema([new Field("values", type, true)])).data.children[0] as Data;
}

function isSame(one: WrittenChunk, other: WrittenChunk): boolean {
  if (one.data === other.data) return true;
  const [a, b] = [one.arrays, other.arrays];
  return (
    a.buffers.length === b.buffers.length &&
    a.nodes.every(({ length, nullCount }, at) => {
      const node = b.nodes[at];
      return node?.length === length && node.nullCount === nullCount;
    }) &&
    a.buffers.every((bytes, at) => isEqual(bytes, b.buffers[at] as Uint8Array))
  );
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
