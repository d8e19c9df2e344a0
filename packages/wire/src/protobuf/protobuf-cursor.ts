import { type ErrorLocation, RecordError } from "../errors.js";
import { WireType } from "./protobuf-wire-type.js";

/** Maximum nesting depth of groups. protobuf's C++ and Java parsers limit the nesting of messages to the same depth. */
const MAX_GROUP_DEPTH = 100;

/** Options of {@link ProtoCursor}. */
export interface ProtoCursorOptions {
  /** Offset of the first byte to read. Default 0. */
  readonly start?: number | undefined;
  /** Offset at which to stop, exclusive. Default: the end of `bytes`. */
  readonly end?: number | undefined;
  /**
   * Location of the message, for errors. Its `byteOffset` is the offset of `bytes[0]`. Errors add their position in `bytes` to
   * this offset.
   */
  readonly location?: ErrorLocation | undefined;
}

/**
 * Reads one protobuf message from borrowed bytes, field by field. It knows the wire encoding, but no schema.
 *
 * Call `tag()` until `isAtEnd` is true. After each tag, read the value with the method for its type, or call `skip(tag)`. No read
 * passes `end`. After an error, `position` is unspecified.
 *
 * The methods that read throw {@link RecordError} `malformed-payload` with one of these reasons:
 * - `truncated`: the message ends within a tag, a value or a group;
 * - `varint`: a varint is longer than 10 bytes;
 * - `tag`: a field number is 0, or a tag has more than 32 bits;
 * - `wire-type`: a wire type is 6 or 7;
 * - `group`: an end tag does not match the innermost open group, or no group is open;
 * - `depth`: more than 100 groups are nested.
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export class ProtoCursor {
  /** Offset in `bytes` of the next byte to read. */
  position: number;
  readonly bytes: Uint8Array;
  /** Offset in `bytes` at which the message ends, exclusive. */
  readonly end: number;
  /** Bits 0–31 of the value that {@link varint64} or {@link fixed64} has just read, as int32. Other reads may change them. */
  low = 0;
  /** Bits 32–63 of the same value as {@link low}, as int32. */
  high = 0;
  readonly #location: ErrorLocation | undefined;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array, options: ProtoCursorOptions = {}) {
    this.bytes = bytes;
    this.position = options.start ?? 0;
    this.end = Math.min(options.end ?? bytes.length, bytes.length);
    this.#location = options.location;
  }

  get isAtEnd(): boolean {
    return this.position >= this.end;
  }

  /** Reads a tag, `fieldNumber << 3 | wireType`, unsigned. The field number is never 0, and the wire type is valid. */
  tag(): number {
    const start = this.position;
    const { bytes, end } = this;
    const first = start < end ? (bytes[start] as number) : 0;
    let tag = first;
    if (first >= 0x80 || start >= end) {
      tag = this.varint32();
      const size = this.position - start;
      if (size > 5 || (size === 5 && (bytes[start + 4] as number) > 0x0f)) {
        throw this.error("tag", "a tag of more than 32 bits", start);
      }
    } else {
      this.position = start + 1;
    }
    if (tag >>> 3 === 0) throw this.error("tag", "field number 0", start);
    if ((tag & 7) > WireType.fixed32) throw this.error("wire-type", `wire type ${tag & 7}`, start);
    return tag >>> 0;
  }

  /** Reads a varint and returns its low 32 bits, unsigned. protobuf parsers also drop the high bits for 32-bit fields. */
  varint32(): number {
    this.varint64();
    return this.low >>> 0;
  }

  /** Reads a varint into its two halves {@link low} and {@link high}. This avoids a BigInt. */
  varint64(): void {
    const { bytes, end } = this;
    const start = this.position;
    let position = start;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (position >= end) throw this.error("truncated", "a varint cut off by the end of the bytes", start);
      const byte = bytes[position++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else if (shift < 63) high |= bits << (shift - 32);
      else high |= bits << 31;
      if (byte < 0x80) {
        this.position = position;
        this.low = low;
        this.high = high;
        return;
      }
    }
    throw this.error("varint", "a varint of more than 10 bytes", start);
  }

  /** Reads a varint as a signed 64-bit integer, protobuf's int64. */
  int64(): bigint {
    this.varint64();
    return (BigInt(this.high) << 32n) | BigInt(this.low >>> 0);
  }

  /** Reads a varint as an unsigned 64-bit integer, protobuf's uint64. */
  uint64(): bigint {
    this.varint64();
    return (BigInt(this.high >>> 0) << 32n) | BigInt(this.low >>> 0);
  }

  /** Reads four bytes as a little-endian unsigned integer. */
  fixed32(): number {
    return this.#dataView().getUint32(this.#take(4), true);
  }

  /** Reads eight little-endian bytes into the two halves {@link low} and {@link high}. */
  fixed64(): void {
    const at = this.#take(8);
    this.low = this.#dataView().getInt32(at, true);
    this.high = this.#dataView().getInt32(at + 4, true);
  }

  /** Reads four bytes as a float. The bits of a NaN may change. Use `fixed32` if they matter. */
  float(): number {
    return this.#dataView().getFloat32(this.#take(4), true);
  }

  /** Reads eight bytes as a double. */
  double(): number {
    return this.#dataView().getFloat64(this.#take(8), true);
  }

  /** Reads a length-delimited value. Returns a view of `bytes`, not a copy. */
  lengthDelimited(): Uint8Array {
    const length = this.#length();
    const at = this.#take(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Returns a new cursor over the next length-delimited value. Both cursors share `bytes`. This cursor moves past the value. */
  message(): ProtoCursor {
    const length = this.#length();
    const start = this.#take(length);
    return new ProtoCursor(this.bytes, { start, end: start + length, location: this.#location });
  }

  /** Skips the value whose tag was just read. If the tag starts a group, skips the whole group. */
  skip(tag: number): void {
    const start = this.position;
    // Field numbers of the open groups, innermost last. This avoids recursion.
    const open: number[] = [];
    let current = tag;
    for (;;) {
      this.#skipValue(current, open, start);
      if (open.length === 0) return;
      if (this.isAtEnd) throw this.error("truncated", "a group cut off by the end of the bytes", start);
      current = this.tag();
    }
  }

  #skipValue(tag: number, open: number[], start: number): void {
    switch (tag & 7) {
      case WireType.varint:
        this.varint64();
        return;
      case WireType.fixed64:
        this.#take(8);
        return;
      case WireType.lengthDelimited:
        this.#take(this.#length());
        return;
      case WireType.fixed32:
        this.#take(4);
        return;
      case WireType.startGroup:
        if (open.length === MAX_GROUP_DEPTH) {
          throw this.error("depth", `groups nested deeper than ${MAX_GROUP_DEPTH}`, start);
        }
        open.push(tag >>> 3);
        return;
      case WireType.endGroup:
        if (open.pop() !== tag >>> 3) {
          throw this.error("group", `an end tag for group ${tag >>> 3} without a matching start tag`, start);
        }
        return;
      default:
        throw this.error("wire-type", `wire type ${tag & 7}`, start);
    }
  }

  /** Creates a `malformed-payload` error at `position`. Decoders that know the message's schema can call this method too. */
  error(reason: string, found: string, position: number = this.position): RecordError {
    const byteOffset = (this.#location?.byteOffset ?? 0) + position;
    return new RecordError(
      "malformed-payload",
      `Malformed protobuf message at byte ${byteOffset}: found ${found}.`,
      {
        ...this.#location,
        byteOffset,
        reason,
      },
    );
  }

  #length(): number {
    const start = this.position;
    this.varint64();
    const length = this.low >>> 0;
    if (this.high !== 0 || length > this.end - this.position) {
      throw this.error(
        "truncated",
        `a length that passes the end of the message (bytes left: ${this.end - this.position})`,
        start,
      );
    }
    return length;
  }

  /** Moves past the next `size` bytes. Returns the offset of the first one. */
  #take(size: number): number {
    const at = this.position;
    if (size > this.end - at) {
      throw this.error("truncated", `only ${Math.max(0, this.end - at)} of ${size} bytes`, at);
    }
    this.position = at + size;
    return at;
  }

  #dataView(): DataView {
    this.#view ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    return this.#view;
  }
}
