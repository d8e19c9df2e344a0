import { assertArgument } from "@tfxio/wire/checks";
import type { Data } from "apache-arrow";
import { aColumn } from "../argument-rules.js";
import { int32Offsets } from "../column/column-access-offsets.js";
import { isBytesType } from "../column/column-access-values.js";
import { isValid } from "../column/list-column.js";
import { unsupportedType } from "../column/unsupported-type.js";

/**
 * Number of byte strings that are not UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
 * Nulls are not looked at.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a column that holds no byte strings.
 * @see tfx_bsl.arrow.array_util.CountInvalidUTF8
 */
export function countInvalidUtf8(data: Data): number {
  assertArgument("data", data, aColumn);
  if (!isBytesType(data.type)) throw unsupportedType("countInvalidUtf8", data.type, "byte strings");
  const all = data.values as Uint8Array;
  const { offsets, base } = int32Offsets(data, all.length);
  const bytes = base === 0 ? all : all.subarray(base);
  const hasNulls = data.nullCount > 0;
  let count = 0;
  for (let row = 0; row < data.length; row++) {
    if (hasNulls && !isValid(data, row)) continue;
    if (!isUtf8(bytes, offsets[row] as number, offsets[row + 1] as number)) count++;
  }
  return count;
}

/** RFC 3629, section 4: what may follow a lead byte is a matter of that byte alone. */
function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const lead = bytes[at++] as number;
    if (lead < 0x80) continue;
    if (lead < 0xc2 || lead > 0xf4) return false;
    const numFollowing = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if (at + numFollowing > end) return false;
    const second = bytes[at] as number;
    const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return false;
    for (let following = 1; following < numFollowing; following++) {
      if (((bytes[at + following] as number) & 0xc0) !== 0x80) return false;
    }
    at += numFollowing;
  }
  return true;
}
