import { kindOfTag, TAG_1 } from "./feature-scan.js";
import { FeatureKind } from "./kernels.js";
import type { MessageScan } from "./message-scan.js";

/** True for bytes below 128 only. */
export function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p]! > 127) return false;
  return true;
}

/**
 * True when the field from its length at `start` up to `end` is a well-formed Feature as serializers write it: empty,
 * or with one list, packed if it is of numbers. False says nothing: the careful path decides.
 */
export function isPlainFeature(scan: MessageScan, start: number, end: number): boolean {
  const { bytes } = scan;
  let p = scan.length(start, end);
  if (p < 0 || scan.value !== end - p) return false;
  if (p === end) return true;
  const kind = kindOfTag(bytes[p]!);
  if (kind === FeatureKind.unset) return false;
  p = scan.length(p + 1, end);
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
