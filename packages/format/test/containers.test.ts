import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import type { ContainerContext, RecordContainer } from "@tfxio/format";
import {
  fixedLengthContainer,
  linesContainer,
  type LinesOptions,
  recordBlocks,
  sizeDelimitedContainer,
} from "@tfxio/format/containers";
import type { ByteSource, Position, RecordBlock } from "@tfxio/wire";
import { DEFAULT_LIMITS } from "../src/limits.js";
import { frameOffset } from "../src/records/block-cursor.js";
import { chunked, joined, utf8 } from "./sources.js";

interface Found {
  readonly record: number[];
  readonly index: number;
  /** Byte position at which reading resumes with this record. */
  readonly frame: number;
}

interface Reading {
  readonly found: Found[];
  readonly blocks: RecordBlock[];
  readonly error: unknown;
}

/** Reads all records of a source with a container. */
async function read<Options extends object>(
  container: RecordContainer<Options>,
  source: ByteSource,
  options: Partial<Options> = {},
  {
    from,
    part,
    maxRecordBytes = 2 ** 30,
  }: { from?: Position; part?: ContainerContext<object>["part"]; maxRecordBytes?: number } = {},
): Promise<Reading> {
  const found: Found[] = [];
  const blocks: RecordBlock[] = [];
  try {
    for await (const block of container.blocks(source, {
      options: { ...container.defaults, ...options },
      limits: { ...DEFAULT_LIMITS, maxRecordBytes },
      from,
      part,
    })) {
      blocks.push(block);
      expect(block.numRecords).toBeGreaterThan(0);
      for (let index = 0; index < block.numRecords; index++) {
        found.push({
          record: Array.from(block.bytes.subarray(block.starts[index], block.ends[index])),
          index: block.firstRecordIndex + index,
          frame: frameOffset(block, index),
        });
      }
    }
    return { found, blocks, error: undefined };
  } catch (error) {
    return { found, blocks, error };
  }
}

const recordsOf = ({ found }: Reading): number[][] => found.map(({ record }) => record);
const CHUNKS = [1, 2, 3, 4, 5, 7, 11, 1000];

/**
 * Records as protobuf's `writeDelimitedTo` writes them. See "Streaming Multiple Messages" and "Base 128 Varints" on protobuf.dev.
 */
const delimited = Uint8Array.of(3, 10, 20, 30, 0, 1, 99, 0xac, 0x02, ...Array<number>(300).fill(7));
const delimitedRecords = [[10, 20, 30], [], [99], Array<number>(300).fill(7)];

describe("lines", () => {
  // Go's bufio.ScanLines finds the same lines, apart from the byte order mark. So does Python's
  // `open(newline=None, encoding="utf-8-sig")`, apart from a lone CR.
  test.each<[string, string, readonly string[]]>([
    ["no bytes", "", []],
    ["one line", "a\n", ["a"]],
    ["a last line without a line end", "a\nbc", ["a", "bc"]],
    ["empty lines", "\n\na\n\n", ["", "", "a", ""]],
    ["CRLF", "a\r\n\r\nb\r\n", ["a", "", "b"]],
    ["CRLF and LF mixed", "a\r\nb\nc\r\n", ["a", "b", "c"]],
    ["a CR within a line", "a\rb\n", ["a\rb"]],
    ["a CR before CRLF", "a\r\r\n", ["a\r"]],
    ["a CR at the end", "a\r", ["a"]],
    ["a byte order mark", "\uFEFFa\nb\n", ["a", "b"]],
    ["a byte order mark and an empty line", "\uFEFF\na", ["", "a"]],
    ["a byte order mark and CRLF", "\uFEFF\r\n", [""]],
    ["only a byte order mark", "\uFEFF", []],
    ["a byte order mark in the second line", "a\n\uFEFFb\n", ["a", "\uFEFFb"]],
    ["characters of several bytes", "ä\n€\n😀", ["ä", "€", "😀"]],
  ])("of a file with %s are found for every chunk size, even in a gzip file", async (_, text, lines) => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    for (const bytes of [utf8(text), new Uint8Array(gzipSync(utf8(text)))]) {
      for (const chunkBytes of CHUNKS) {
        const reading = await read(linesContainer, chunked(bytes, chunkBytes));
        expect(reading.error).toBeUndefined();
        expect(reading.found.map(({ record }) => decoder.decode(Uint8Array.from(record)))).toEqual(lines);
        expect(reading.found.map(({ index }) => index)).toEqual(lines.map((line, index) => index));
      }
    }
  });

  test("have positions that count the byte order mark and the line ends", async () => {
    const source = chunked(utf8("\uFEFFab\r\n\nc"), 4);
    expect((await read(linesContainer, source)).found.map(({ frame }) => frame)).toEqual([0, 7, 8]);
  });

  test("of one chunk are returned in one block", async () => {
    const { blocks } = await read(linesContainer, chunked(utf8("a\nb\nc\n"), 100));
    expect(blocks.map(({ numRecords }) => numRecords)).toEqual([3]);
  });

  test("cannot have an unknown compression", () => {
    const options = { compression: "bzip2" } as unknown as LinesOptions;
    expect(() => linesContainer.assertOptions?.(options, "read")).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        argument: "compression",
        message:
          '[invalid-argument] lines: compression must be "auto", "none", "gzip" or "zlib", found "bzip2".',
      }),
    );
  });
});

test("a position after the end of a part causes an error that states the part's number of records", async () => {
  const part = { start: 2, end: 6, firstRecordIndex: 1 };
  const { error } = await read(
    linesContainer,
    chunked(utf8("a\nb\nc\nd\n"), 3),
    {},
    { from: { row: 3 }, part },
  );
  expect((error as Error).message).toMatch(
    / has 2 records in this split, so reading cannot start at record 3\.$/,
  );
});

describe("size-delimited records", () => {
  test("have the same bytes and positions for every chunk size, even in a gzip file", async () => {
    for (const bytes of [delimited, new Uint8Array(gzipSync(delimited))]) {
      for (const chunkBytes of CHUNKS) {
        const reading = await read(sizeDelimitedContainer, chunked(bytes, chunkBytes));
        expect(reading.error).toBeUndefined();
        expect(recordsOf(reading)).toEqual(delimitedRecords);
        expect(reading.found.map(({ frame }) => frame)).toEqual([0, 4, 5, 7]);
      }
    }
  });

  test("may store their lengths in more bytes than needed, as protobuf varints may", async () => {
    const bytes = Uint8Array.of(0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 42, 1, 43);
    for (const chunkBytes of CHUNKS) {
      const reading = await read(sizeDelimitedContainer, chunked(bytes, chunkBytes));
      expect(recordsOf(reading)).toEqual([[42], [43]]);
      expect(reading.error).toBeUndefined();
    }
  });

  test("are read until one has a length that is not a varint, and that one is rejected", async () => {
    const bytes = Uint8Array.of(1, 42, ...Array<number>(10).fill(0x80), 0, 1);
    for (const chunkBytes of CHUNKS) {
      const reading = await read(sizeDelimitedContainer, chunked(bytes, chunkBytes));
      expect(recordsOf(reading)).toEqual([[42]]);
      expect(reading.error).toMatchObject({
        code: "corrupt-record",
        reason: "record-length",
        uri: "memory",
        recordIndex: 1,
        byteOffset: 2,
      });
    }
  });

  test("are read until one has a length above the limit, and that one is rejected", async () => {
    const bytes = Uint8Array.of(1, 42, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3);
    for (const chunkBytes of CHUNKS) {
      const reading = await read(sizeDelimitedContainer, chunked(bytes, chunkBytes));
      expect(recordsOf(reading)).toEqual([[42]]);
      expect(reading.error).toMatchObject({
        code: "limit-exceeded",
        reason: "record-length",
        recordIndex: 1,
        byteOffset: 2,
      });
    }
  });
});

describe("records of a fixed length", () => {
  test("follow a header, and are the same for every chunk size, even in a gzip file", async () => {
    const bytes = Uint8Array.of(255, 255, 1, 2, 3, 4, 5, 6);
    for (const stored of [bytes, new Uint8Array(gzipSync(bytes))]) {
      for (const chunkBytes of CHUNKS) {
        const options = { recordBytes: 3, headerBytes: 2 };
        const reading = await read(fixedLengthContainer, chunked(stored, chunkBytes), options);
        expect(reading.error).toBeUndefined();
        expect(recordsOf(reading)).toEqual([
          [1, 2, 3],
          [4, 5, 6],
        ]);
        expect(reading.found.map(({ frame }) => frame)).toEqual([2, 5]);
      }
    }
  });

  test.each([
    ["recordBytes", 0],
    ["recordBytes", 1.5],
    ["headerBytes", -1],
    ["compression", "lz4"],
  ])("cannot have a %s of %s", (argument, value) => {
    const options = { ...fixedLengthContainer.defaults, recordBytes: 1, [argument]: value };
    expect(() => fixedLengthContainer.assertOptions?.(options, "read")).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument }),
    );
  });

  test("have no default length, so a length is required", () => {
    expect(() => fixedLengthContainer.assertOptions?.(fixedLengthContainer.defaults, "read")).toThrow(
      expect.objectContaining({
        argument: "recordBytes",
        message: "[invalid-argument] fixed-length: recordBytes must be a positive integer, found 0.",
      }),
    );
  });

  test("are reported as truncated if the file ends within its header", async () => {
    const options = { recordBytes: 2, headerBytes: 4, compression: "none" } as const;
    for (const bytes of [new Uint8Array(3), new Uint8Array(0)]) {
      for (const source of [chunked(bytes, 2), { ...chunked(bytes, 2), byteLength: undefined }]) {
        const { error } = await read(fixedLengthContainer, source, options);
        expect(error).toMatchObject({ code: "truncated-record", reason: "record-end", recordIndex: 0 });
      }
    }
  });
});

interface Kind {
  readonly container: RecordContainer;
  readonly options: object;
  readonly bytes: Uint8Array;
  readonly records: readonly number[][];
  /** End offsets of the frames. */
  readonly ends: readonly number[];
}

const kinds: Readonly<Record<string, Kind>> = {
  lines: {
    container: linesContainer,
    options: {},
    bytes: utf8("\uFEFFab\r\n\nxyz\n€\n"),
    records: ["ab", "", "xyz", "€"].map((line) => Array.from(utf8(line))),
    ends: [7, 8, 12, 16],
  },
  "size-delimited": {
    container: sizeDelimitedContainer,
    options: {},
    bytes: delimited.subarray(0, 7),
    records: [[10, 20, 30], [], [99]],
    ends: [4, 5, 7],
  },
  "fixed-length": {
    container: fixedLengthContainer,
    options: { recordBytes: 2, headerBytes: 1 },
    bytes: Uint8Array.of(0, 1, 2, 3, 4, 5, 6),
    records: [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    ends: [3, 5, 7],
  },
};

describe.each(Object.entries(kinds))(
  "records in the %s container",
  (name, { container, options, bytes, records, ends }) => {
    const starts = [name === "fixed-length" ? 1 : 0, ...ends];

    test("can be read from any row, with or without its byte offset, for every chunk size, even in a gzip file", async () => {
      for (const stored of [bytes, new Uint8Array(gzipSync(bytes))]) {
        for (const chunkBytes of CHUNKS) {
          for (let row = 0; row <= records.length; row++) {
            for (const from of [{ row }, { row, detail: starts[row]! }]) {
              const reading = await read(container, chunked(stored, chunkBytes), options, { from });
              expect(reading.error).toBeUndefined();
              expect(recordsOf(reading)).toEqual(records.slice(row));
              expect(reading.found.map(({ index }) => index)).toEqual(
                records.slice(row).map((_, index) => row + index),
              );
              expect(reading.found.map(({ frame }) => frame)).toEqual(starts.slice(row, -1));
              expect(reading.blocks.at(-1)?.endOffset).toBe(row < records.length ? ends.at(-1) : undefined);
            }
          }
        }
      }
    });

    test("can be read from one part of a file, for every chunk size and start position", async () => {
      for (let first = 0; first < records.length; first++) {
        for (let end = first + 1; end <= records.length; end++) {
          const part = {
            start: first === 0 ? 0 : starts[first]!,
            end: starts[end]!,
            firstRecordIndex: first,
          };
          for (let row = 0; row <= end - first; row++) {
            for (const from of [{ row }, { row, detail: starts[first + row]! }]) {
              for (const chunkBytes of CHUNKS) {
                const reading = await read(container, chunked(bytes, chunkBytes), options, { from, part });
                expect(reading.error).toBeUndefined();
                expect(recordsOf(reading)).toEqual(records.slice(first + row, end));
                expect(reading.found[0]?.index).toBe(row < end - first ? first + row : undefined);
                expect(reading.found.map(({ frame }) => frame)).toEqual(starts.slice(first + row, end));
              }
            }
          }
        }
      }
    });

    test("cannot be read from a position past the end", async () => {
      const row = records.length + 1;
      for (const from of [{ row }, { row, detail: bytes.length + 1 }]) {
        const { found, error } = await read(container, chunked(bytes, 3), options, { from });
        expect(found).toEqual([]);
        expect(error).toMatchObject({ code: "invalid-argument", reason: "behind-end" });
      }
    });

    test("are read up to any truncation; a cut record or header is reported, but a cut line is not", async () => {
      for (let length = 0; length < bytes.length; length++) {
        for (const chunkBytes of CHUNKS) {
          const reading = await read(container, chunked(bytes.subarray(0, length), chunkBytes), options);
          const whole = ends.filter((end) => end <= length).length;
          const isCut = !starts.includes(length);
          if (name === "lines") {
            // The last line may lack a line end.
            expect(reading.error).toBeUndefined();
            expect(recordsOf(reading).slice(0, whole)).toEqual(records.slice(0, whole));
            expect(reading.found.length - whole).toBeLessThanOrEqual(1);
            continue;
          }
          expect(recordsOf(reading)).toEqual(records.slice(0, whole));
          expect(reading.error === undefined).toBe(!isCut);
          if (!isCut) continue;
          expect(reading.error).toMatchObject({
            code: "truncated-record",
            reason: "record-end",
            uri: "memory",
            recordIndex: whole,
          });
        }
      }
    });

    test("are limited in length for every chunk size", async () => {
      const longest = Math.max(...records.map(({ length }) => length));
      const tooLong = records.findIndex(({ length }) => length === longest);
      for (const chunkBytes of CHUNKS) {
        const source = chunked(bytes, chunkBytes);
        expect((await read(container, source, options, { maxRecordBytes: longest })).error).toBeUndefined();
        const reading = await read(container, source, options, { maxRecordBytes: longest - 1 });
        expect(recordsOf(reading)).toEqual(records.slice(0, tooLong));
        expect(reading.error).toMatchObject({
          code: "limit-exceeded",
          reason: "record-length",
          recordIndex: tooLong,
          byteOffset: starts[tooLong],
        });
      }
    });

    test("can be absent: a file without records yields no blocks and no error", async () => {
      const empty = bytes.subarray(0, starts[0]);
      expect(await read(container, chunked(empty, 3), options)).toEqual({
        found: [],
        blocks: [],
        error: undefined,
      });
    });
  },
);

describe("records that span large chunks", () => {
  // A reader copies the first 16 KiB of a chunk to complete a record of the previous chunk. Some lengths are around that size.
  const lengths = [20_000, 5, 16_384, 0, 16_383, 70_000, 1, 16_385, 100, 33_000, 12, 40_000, 7, 50_000];
  const records = lengths.map((length, index) => Array<number>(length).fill(97 + index));
  const varint = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)];

  test.each([
    [
      "size-delimited",
      sizeDelimitedContainer as RecordContainer,
      Uint8Array.from(records.flatMap((record) => [...varint(record.length), ...record])),
    ],
    [
      "lines",
      linesContainer as RecordContainer,
      Uint8Array.from(records.flatMap((record) => [...record, 10])),
    ],
  ])("are found for every chunk size by the %s container", async (_, container, bytes) => {
    for (const chunkBytes of [16_384, 16_385, 20_003, 32_768, 50_000, 100_000]) {
      const reading = await read(container, chunked(bytes, chunkBytes));
      expect(reading.error).toBeUndefined();
      expect(recordsOf(reading)).toEqual(records);
    }
  });
});

describe("a record larger than its chunks", () => {
  const numBytes = 2 ** 21;

  /** Returns the total number of bytes searched and the number of records found. */
  async function work(chunkBytes: number): Promise<{ fresh: number; numRecords: number }> {
    const bytes = new Uint8Array(numBytes).fill(97);
    bytes[numBytes - 1] = 10;
    let [fresh, numRecords] = [0, 0];
    const blocks = recordBlocks(
      chunked(bytes, chunkBytes),
      { limits: DEFAULT_LIMITS },
      { compression: "none", recordName: "line" },
      (piece, { numSearched }) => {
        fresh += piece.length - numSearched;
        const newline = piece.indexOf(10, numSearched);
        const ends = Uint32Array.of(newline);
        return newline < 0
          ? { numRecords: 0, starts: new Uint32Array(0), ends: new Uint32Array(0), consumed: 0 }
          : { numRecords: 1, starts: Uint32Array.of(0), ends, consumed: newline + 1 };
      },
    );
    for await (const block of blocks) numRecords += block.numRecords;
    return { fresh, numRecords };
  }

  test("is searched only once, not again with each chunk", async () => {
    for (const chunkBytes of [numBytes, 65_536, 1024, 64]) {
      expect(await work(chunkBytes)).toEqual({ fresh: numBytes, numRecords: 1 });
    }
  });

  test.each([
    ["a line", linesContainer as RecordContainer, joined(new Uint8Array(numBytes).fill(97), utf8("\n"))],
    [
      "a delimited record",
      sizeDelimitedContainer as RecordContainer,
      // 2^21 as a varint: 21 zero bits, then a 1.
      joined(Uint8Array.of(0x80, 0x80, 0x80, 0x01), new Uint8Array(numBytes).fill(97)),
    ],
  ])("is read in far less than quadratic time if it is %s", async (_, container, bytes) => {
    /** Returns the least processor time of several reads, in ms. Other processes affect it less than they affect elapsed time. */
    const time = async (length: number): Promise<number> => {
      let shortest = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round++) {
        const part = chunked(bytes.subarray(0, length), 256);
        const begin = process.cpuUsage();
        await read(container, part);
        const { user, system } = process.cpuUsage(begin);
        shortest = Math.min(shortest, (user + system) / 1000);
      }
      return shortest;
    };
    // For 8 times the bytes, linear work takes 8 times as long. Work proportional to chunks times length takes 64 times as long.
    expect(await time(bytes.length)).toBeLessThan(32 * Math.max(2, await time(numBytes / 8)));
    const { found, error } = await read(container, chunked(bytes, 256));
    expect(error).toBeUndefined();
    expect(found.map(({ record }) => record.length)).toEqual([numBytes]);
  });
});
