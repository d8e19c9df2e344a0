import { assertWithin, damaged } from "../metadata/damage.js";
import { type ArrayContext, assertLongEnough, contradiction } from "./typed-arrays.js";
import { isValidAt, type NullBits } from "./validity.js";

/** The view column to expand. */
export interface ViewContext extends ArrayContext {
  readonly length: number;
  readonly valid: NullBits;
  readonly maxBytes: number;
}

const VIEW_BYTES = 16;
/** Values of up to 12 bytes are stored in the view itself. */
const MAX_INLINE_BYTES = 12;
const MAX_OFFSET = 2 ** 31 - 1;

/**
 * Copies the text or bytes of views into one buffer with offsets, as in Utf8 and Binary columns.
 * @throws {RecordError} `corrupt-record` (`array`) for a view that points outside the buffers, or a value that does not begin
 *   with the prefix in its view; `limit-exceeded` (`page-length`) if the copy would exceed `maxPageBytes` or 2^31 - 1 bytes.
 * @see https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
 */
export function expandViews(
  views: Uint8Array,
  buffers: readonly Uint8Array[],
  context: ViewContext,
): { readonly valueOffsets: Int32Array; readonly values: Uint8Array } {
  const { length, valid, maxBytes, place, path, isBigEndian } = context;
  assertLongEnough(views, length * VIEW_BYTES, context);
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  const int32At = (at: number): number => view.getInt32(at, !isBigEndian);
  const valueOffsets = new Int32Array(length + 1);
  let numBytes = 0;
  for (let row = 0; row < length; row++) {
    const size = isValidAt(valid, row) ? int32At(row * VIEW_BYTES) : 0;
    if (size < 0) throw contradiction(`has a view of length ${size} in row ${row}`, context);
    numBytes += size;
    valueOffsets[row + 1] = numBytes;
    if (numBytes > maxBytes || numBytes > MAX_OFFSET) {
      const what = `column "${path}", with its views expanded,`;
      const part = { place, what, reason: "page-length" } as const;
      assertWithin(numBytes, maxBytes, part);
      assertWithin(numBytes, MAX_OFFSET, { ...part, limitName: "of a column" });
    }
  }
  const values = new Uint8Array(numBytes);
  for (let row = 0; row < length; row++) {
    const [start, end] = [valueOffsets[row] as number, valueOffsets[row + 1] as number];
    if (start === end) continue;
    const at = row * VIEW_BYTES;
    values.set(
      end - start <= MAX_INLINE_BYTES ? views.subarray(at + 4, at + 4 + end - start) : pointed(at, row),
      start,
    );
  }
  return { valueOffsets, values };

  function pointed(at: number, row: number): Uint8Array {
    const [size, buffer, offset] = [int32At(at), int32At(at + 8), int32At(at + 12)];
    const bytes = buffers[buffer];
    const value = `row ${row} of column "${path}"`;
    if (bytes === undefined || offset < 0 || offset + size > bytes.length) {
      const where = `${size} bytes at offset ${offset} of buffer ${buffer}`;
      throw damaged(
        place,
        `${value} points to ${where}, which ${bytes === undefined ? "does not exist" : `has ${bytes.length} bytes`}`,
        "array",
      );
    }
    for (let index = 0; index < 4; index++) {
      if (bytes[offset + index] === views[at + 4 + index]) continue;
      throw damaged(place, `${value} points to bytes that do not begin with the prefix in its view`, "array");
    }
    return bytes.subarray(offset, offset + size);
  }
}
