import { CHUNK, GROUP } from "../footer/file-footer.js";
import { readThrift } from "../footer/read-thrift.js";
import {
  integerOf,
  listOf,
  structOf,
  T,
  type ThriftStruct,
  type ThriftValue,
  withFields,
} from "../footer/thrift.js";
import { writeThrift } from "../footer/write-thrift.js";

/** Ids of the fields of OffsetIndex and PageLocation. @see parquet-format `parquet.thrift` */
const PLACES = 1;
const BYTE_OFFSET = 1;

/** The page indexes of a row group. */
export interface PageIndexes {
  /** Byte offset in the file at which the first of these indexes begins; `Infinity` without indexes. */
  readonly startByte: number;
  /** Indexes of each chunk. */
  readonly chunks: readonly {
    readonly columnIndex: Uint8Array | undefined;
    readonly offsetIndex: Uint8Array | undefined;
  }[];
}

/** Returns the page indexes of a row group, as views of `file`. */
export function indexesOf(group: ThriftValue, file: Uint8Array): PageIndexes {
  let startByte = Number.POSITIVE_INFINITY;
  const chunks = chunksOf(group).map((chunk) => {
    const bytesAt = (offsetId: number, lengthId: number): Uint8Array | undefined => {
      const [start, length] = [integerOf(chunk.get(offsetId)), integerOf(chunk.get(lengthId))];
      if (start === undefined || length === undefined) return undefined;
      startByte = Math.min(startByte, start);
      return file.subarray(start, start + length);
    };
    return {
      columnIndex: bytesAt(CHUNK.columnIndex, CHUNK.columnIndexLength),
      offsetIndex: bytesAt(CHUNK.offsetIndex, CHUNK.offsetIndexLength),
    };
  });
  return { startByte, chunks };
}

/** Copies the indexes, adjusted to pages that moved by `shift` bytes. The original file can then be released. */
export function shiftedIndexes({ startByte, chunks }: PageIndexes, shift: number): PageIndexes {
  return {
    startByte: startByte + shift,
    chunks: chunks.map(({ columnIndex, offsetIndex }) => ({
      columnIndex: columnIndex?.slice(),
      offsetIndex: offsetIndex && shifted(offsetIndex, shift),
    })),
  };
}

function shifted(offsetIndex: Uint8Array, shift: number): Uint8Array {
  const { struct } = readThrift(offsetIndex);
  const places = (listOf(struct.get(PLACES)) ?? []).map((value): ThriftValue => {
    const place = structOf(value) as ThriftStruct;
    const byteOffset = integerOf(place.get(BYTE_OFFSET)) as number;
    const moved = { [BYTE_OFFSET]: { type: T.i64, value: byteOffset + shift } } as const;
    return { type: T.struct, value: withFields(place, moved) };
  });
  return writeThrift(withFields(struct, { [PLACES]: { type: T.list, of: T.struct, value: places } }));
}

/** Returns the indexes to write at byte `offset`, and the row group with references to them. */
export function placedIndexes(
  group: ThriftValue,
  { chunks }: PageIndexes,
  offset: number,
): { readonly group: ThriftValue; readonly parts: readonly Uint8Array[] } {
  const parts: Uint8Array[] = [];
  let at = offset;
  const place = (bytes: Uint8Array | undefined, offsetId: number, lengthId: number) => {
    if (bytes === undefined) return {};
    parts.push(bytes);
    at += bytes.length;
    return {
      [offsetId]: { type: T.i64, value: at - bytes.length },
      [lengthId]: { type: T.i32, value: bytes.length },
    } as const;
  };
  const columns = chunksOf(group).map((chunk, index): ThriftValue => {
    const { columnIndex, offsetIndex } = chunks[index] as PageIndexes["chunks"][number];
    const fields = {
      ...place(columnIndex, CHUNK.columnIndex, CHUNK.columnIndexLength),
      ...place(offsetIndex, CHUNK.offsetIndex, CHUNK.offsetIndexLength),
    };
    return { type: T.struct, value: withFields(chunk, fields) };
  });
  const struct = structOf(group) as ThriftStruct;
  return {
    group: {
      type: T.struct,
      value: withFields(struct, { [GROUP.columns]: { type: T.list, of: T.struct, value: columns } }),
    },
    parts,
  };
}

function chunksOf(group: ThriftValue): readonly ThriftStruct[] {
  return (listOf(structOf(group)?.get(GROUP.columns)) ?? []).map((chunk) => structOf(chunk) as ThriftStruct);
}
