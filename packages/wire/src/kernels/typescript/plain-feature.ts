import { Appended, appendBytesList, appendFloats, appendVarints } from "./append-values.js";
import type { ExampleColumn } from "./example-column.js";
import { kindOfTag, TAG_1 } from "./feature-scan.js";
import { FeatureKind } from "../kernels.js";
import type { MessageScan } from "./message-scan.js";

/** Returns true if all bytes are below 128. */
export function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p]! > 127) return false;
  return true;
}

/**
 * Appends a Feature as row `row`. Handles only Features with exactly one list, which is packed if numeric. The result `unusual`
 * leaves the decision to the strict path. The column is then unchanged, except that missing rows before `row` may have become
 * null.
 */
export function appendPlainFeature(
  column: ExampleColumn,
  scan: MessageScan,
  start: number,
  end: number,
  row: number,
): Appended {
  const { bytes, view } = scan;
  const { kind } = column;
  if (kind === FeatureKind.unset || bytes[start] !== kind * 8 + 2) return Appended.unusual;
  let length = bytes[start + 1]!;
  let p = start + 2;
  if (length > 127) {
    p = scan.length(p - 1, end);
    if (p < 0) return Appended.unusual;
    length = scan.value;
  }
  if (length !== end - p) return Appended.unusual;
  if (column.row !== row || row >= column.rowCapacity) {
    if (!column.reserveRows(row)) return Appended.tooLarge;
    column.seek(row);
  }
  let result: Appended = Appended.ok;
  if (kind === FeatureKind.bytes) {
    result = appendBytesList(column, bytes, view, p, end);
  } else if (length > 0) {
    if (bytes[p] !== TAG_1) return Appended.unusual;
    length = bytes[p + 1]!;
    p += 2;
    if (length > 127) {
      p = scan.length(p - 1, end);
      if (p < 0) return Appended.unusual;
      length = scan.value;
    }
    if (length !== end - p) return Appended.unusual;
    if (kind === FeatureKind.int64) result = appendVarints(column, bytes, p, end);
    else result = length % 4 === 0 ? appendFloats(column, bytes, view, p, end) : Appended.unusual;
  }
  if (result === Appended.ok) column.commit();
  else column.discard();
  return result;
}

/** Returns true if the message is a FeatureList of plain Features. False leaves the decision to the strict path. */
export function isPlainFeatureList(scan: MessageScan, start: number, end: number): boolean {
  let p = start;
  while (p < end) {
    if (scan.bytes[p] !== TAG_1) return false;
    p = scan.length(p + 1, end);
    if (p < 0) return false;
    const stepEnd = p + scan.value;
    if (!isPlainFeature(scan, p, stepEnd)) return false;
    p = stepEnd;
  }
  return true;
}

/**
 * Returns true if the message is a well-formed Feature as serializers write it: empty, or with one list, which is packed if
 * numeric. False leaves the decision to the strict path.
 */
export function isPlainFeature(scan: MessageScan, start: number, end: number): boolean {
  const { bytes } = scan;
  if (start === end) return true;
  const kind = kindOfTag(bytes[start]!);
  if (kind === FeatureKind.unset) return false;
  let p = scan.length(start + 1, end);
  if (p < 0 || scan.value !== end - p) return false;
  if (p === end) return true;
  if (kind === FeatureKind.bytes) {
    while (p < end) {
      if (bytes[p] !== TAG_1) return false;
      p = scan.length(p + 1, end);
      if (p < 0) return false;
      p += scan.value;
    }
    return true;
  }
  if (bytes[p] !== TAG_1) return false;
  p = scan.length(p + 1, end);
  if (p < 0 || scan.value !== end - p) return false;
  return kind === FeatureKind.float ? scan.value % 4 === 0 : areVarints(bytes, p, end);
}

function areVarints(bytes: Uint8Array, start: number, end: number): boolean {
  let run = 0;
  for (let p = start; p < end; p++) {
    run = bytes[p]! > 127 ? run + 1 : 0;
    if (run > 9) return false;
  }
  return run === 0;
}
