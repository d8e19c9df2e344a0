import type { Compression } from "@tfxio/wire";
import { aReadCompression, assertOptions } from "@tfxio/wire/checks";
import type { RecordContainer } from "../records/record-format-parts.js";
import { cutsBehind } from "./cut-source.js";
import { type FoundRecords, type PiecePlace, recordBlocks } from "./record-blocks.js";
import { Bounds } from "./record-bounds.js";

/** Options of {@link linesContainer}. */
export interface LinesOptions {
  /** `"auto"` (default) detects gzip by its first bytes. */
  readonly compression: Compression | "auto";
}

const LF = 10;
const CR = 13;
/** The byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];

/**
 * A container whose records are lines of text. A line ends at LF, at CRLF or at the end of the file. LF and CRLF are not part of
 * the record. An empty line is an empty record. A byte order mark at the start is dropped. Uncompressed files are cut into parts.
 * Each cut follows a line end.
 * @see Go's `bufio.ScanLines`, which splits lines in the same way
 */
export const linesContainer: RecordContainer<LinesOptions> = {
  id: "lines",
  extensions: [".txt"],
  defaults: { compression: "auto" },
  assertOptions: (options) => assertOptions("lines", options, { compression: aReadCompression }),
  cuts: (source, { options: { compression }, partBytes, signal }) =>
    cutsBehind(LF, { source, compression, partBytes, signal }),
  blocks: (source, context) => {
    const { compression } = context.options;
    return recordBlocks(source, context, { compression, recordName: "line" }, findLines);
  },
};

/** Finds the lines in a piece of text. This is the `find` function that {@link linesContainer} passes to {@link recordBlocks}. */
export function findLines(
  bytes: Uint8Array,
  { isLast, byteOffset, numSearched, expectedRecords }: PiecePlace,
): FoundRecords {
  const bounds = new Bounds(expectedRecords);
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(LF, Math.max(start, numSearched));
    if (newline < 0) break;
    addLine(bounds, bytes, start, newline, byteOffset);
    start = newline + 1;
  }
  if (isLast && start < bytes.length) {
    // A file that holds only the byte order mark has no lines.
    const isMark = bytes.length === MARK.length && markBytes(bytes, start, byteOffset) > 0;
    if (!isMark) addLine(bounds, bytes, start, bytes.length, byteOffset);
    start = bytes.length;
  }
  return bounds.found(start);
}

/** Adds the line from `start` to `newline`, without its CR and without a byte order mark. */
function addLine(
  bounds: Bounds,
  bytes: Uint8Array,
  start: number,
  newline: number,
  byteOffset: number,
): void {
  const header = markBytes(bytes, start, byteOffset);
  const end = newline > start + header && bytes[newline - 1] === CR ? newline - 1 : newline;
  bounds.add(start + header, end, header);
}

/** Returns the length of the byte order mark at the start of a line, or 0. Only the first line of a file can have one. */
function markBytes(bytes: Uint8Array, start: number, byteOffset: number): number {
  const isFirst = byteOffset === 0 && start === 0;
  return isFirst && MARK.every((byte, index) => bytes[index] === byte) ? MARK.length : 0;
}
