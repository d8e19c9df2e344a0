import type { Compression } from "@tfxio/wire";
import { aReadCompression, assertOptions } from "@tfxio/wire/checks";
import type { RecordContainer } from "../records/record-format-parts.js";
import { cutsBehind } from "./cut-source.js";
import { type FoundRecords, type PiecePlace, recordBlocks } from "./record-blocks.js";
import { Bounds } from "./record-bounds.js";

/** Options of {@link linesContainer}. */
export interface LinesOptions {
  /** `"auto"` (default) recognises gzip by its first bytes. */
  readonly compression: Compression | "auto";
}

const LF = 10;
const CR = 13;
/** Byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];

/**
 * Lines of text: each ends with LF or CRLF, which is not part of the record; the last one may end with the file. An empty
 * line is an empty record. A byte order mark at the start is dropped. Plain files are cut into parts after line ends.
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

/** Finds the lines in a piece of text; {@link linesContainer} as a function for {@link recordBlocks}. */
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
    // A file that holds only the mark has no line.
    const isMark = bytes.length === MARK.length && markBytes(bytes, start, byteOffset) > 0;
    if (!isMark) addLine(bounds, bytes, start, bytes.length, byteOffset);
    start = bytes.length;
  }
  return bounds.found(start);
}

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

/** Length of the UTF-8 byte order mark at the start of a line. Only the first line of a file has one. */
function markBytes(bytes: Uint8Array, start: number, byteOffset: number): number {
  const isFirst = byteOffset === 0 && start === 0;
  return isFirst && MARK.every((byte, index) => bytes[index] === byte) ? MARK.length : 0;
}
