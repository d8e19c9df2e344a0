import { RecordError } from "@tfxio/wire";

/** Maximum offset. The offsets of Arrow's Utf8 and List are int32. */
const MAX_POSITION: number = 2 ** 31 - 1;
const FIRST_BYTES = 256;

/** A growing buffer of UTF-8 text. Its memory is reused after `length` is set to 0. */
export class TextBytes {
  bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  length = 0;

  /** Makes room for `numBytes` more. @throws {RecordError} `limit-exceeded` (`batch-too-large`). */
  reserve(numBytes: number): void {
    const needed = this.length + numBytes;
    if (needed <= this.bytes.length) return;
    const grown = allocated(
      Uint8Array,
      Math.min(Math.max(needed, this.bytes.length * 2), MAX_POSITION),
      needed,
    );
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  /** Appends part of another buffer. */
  append(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    this.bytes.set(from.subarray(start, end), this.length);
    this.length += end - start;
  }
}

/** Returns a new array of `length` elements, of which `needed` are in use. @throws The errors of {@link TextBytes.reserve}. */
export function allocated<Numbers>(
  kind: new (length: number) => Numbers,
  length: number,
  needed: number,
): Numbers {
  if (needed > MAX_POSITION) throw tooLarge(`more than ${MAX_POSITION} values or bytes`);
  try {
    return new kind(length);
  } catch (cause) {
    throw tooLarge(`${needed} values or bytes, which exceed the available memory`, cause);
  }
}

function tooLarge(finding: string, cause?: unknown): RecordError {
  return new RecordError("limit-exceeded", `A column of the batch has ${finding}; read smaller batches.`, {
    reason: "batch-too-large",
    cause,
  });
}
