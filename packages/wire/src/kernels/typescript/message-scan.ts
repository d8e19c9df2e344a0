/** Maximum nesting of messages and groups, as in protobuf's C++ parser. */
export const MAX_DEPTH = 100;

/**
 * A strict parser of protobuf's wire format. No method reads beyond `end`. Each returns the position after the bytes that it read
 * or skipped, or -1 after setting {@link errorAt}. The rules are those of protobuf's C++ parser, which tfx_bsl uses.
 */
export class MessageScan {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  /** The value that was read by the last successful call of {@link tag} or {@link length}. */
  value = 0;
  /** Position of the last failure. */
  errorAt = -1;

  fail(position: number): -1 {
    this.errorAt = position;
    return -1;
  }

  /** Reads a tag into {@link value}. It must have at most 32 bits in at most 5 bytes, and a field number that is not 0. */
  tag(start: number, end: number): number {
    let result = 0;
    for (let p = start, shift = 0; p < end && shift < 35; p++, shift += 7) {
      const byte = this.bytes[p]!;
      result |= (byte & 127) << shift;
      if (byte < 128) {
        this.value = result >>> 0;
        return this.value >>> 3 === 0 || (shift === 28 && byte > 15) ? this.fail(start) : p + 1;
      }
    }
    return this.fail(start);
  }

  /** Reads a field's length, a varint of at most 5 bytes, into {@link value}. Fails if fewer bytes than this length follow. */
  length(start: number, end: number): number {
    let result = 0;
    for (let p = start, scale = 1; p < end && p < start + 5; p++, scale *= 128) {
      const byte = this.bytes[p]!;
      result += (byte & 127) * scale;
      if (byte < 128) {
        this.value = result;
        return result > end - p - 1 ? this.fail(start) : p + 1;
      }
    }
    return this.fail(start);
  }

  /** Skips a varint of at most 10 bytes. */
  varint(start: number, end: number): number {
    const limit = Math.min(end, start + 10);
    for (let p = start; p < limit; p++) if (this.bytes[p]! < 128) return p + 1;
    return this.fail(start);
  }

  /** Skips varints up to `end`. Fails unless the last one ends there. */
  varints(start: number, end: number): number {
    let p = start;
    while (p >= 0 && p < end) p = this.varint(p, end);
    return p;
  }

  /** Skips the payload of a field with this tag. Fails if groups are nested more than `depth` deep. */
  skip(tag: number, start: number, end: number, depth: number): number {
    let p = start;
    switch (tag & 7) {
      case 0:
        return this.varint(p, end);
      case 1:
        return end - p < 8 ? this.fail(p) : p + 8;
      case 2:
        p = this.length(p, end);
        return p < 0 ? -1 : p + this.value;
      case 3:
        return this.group(tag, p, end, depth);
      case 5:
        return end - p < 4 ? this.fail(p) : p + 4;
      default:
        return this.fail(p);
    }
  }

  private group(tag: number, start: number, end: number, depth: number): number {
    if (depth === 0) return this.fail(start);
    let p = start;
    while (p < end) {
      const at = p;
      p = this.tag(p, end);
      if (p < 0) return -1;
      const inner = this.value;
      if ((inner & 7) === 4) return inner === tag + 1 ? p : this.fail(at);
      p = this.skip(inner, p, end, depth - 1);
      if (p < 0) return -1;
    }
    return this.fail(start);
  }

  /** Skips valid UTF-8 text: no overlong forms, no surrogates, nothing above U+10FFFF. */
  utf8(start: number, end: number): number {
    const { bytes } = this;
    let p = start;
    while (p < end) {
      const lead = bytes[p]!;
      if (lead < 0x80) {
        p++;
        continue;
      }
      const size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
      if (size === 0 || end - p < size) return this.fail(p);
      const second = bytes[p + 1]!;
      const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
      const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
      if (second < low || second > high) return this.fail(p);
      for (let i = 2; i < size; i++) if ((bytes[p + i]! & 0xc0) !== 0x80) return this.fail(p);
      p += size;
    }
    return p;
  }
}
