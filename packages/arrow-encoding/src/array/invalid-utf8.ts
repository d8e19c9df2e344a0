import { assertArgument } from "@tfxio/wire/checks";
import type { Data } from "apache-arrow";
import { aColumn } from "../argument-rules.js";
import { int32Offsets } from "../column/column-access-offsets.js";
import { isBytesType } from "../column/column-access-values.js";
import { isValid } from "../column/list-column.js";
import { unsupportedType } from "../column/unsupported-type.js";
import { isUtf8 } from "../text/is-utf8.js";

/**
 * Counts the byte strings that are not valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). Nulls
 * are not counted.
 * @throws {UnsupportedError} `unsupported` (`column-type`) unless the column holds byte strings.
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
