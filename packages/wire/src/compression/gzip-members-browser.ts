import { ZStream, zlibInflate, zlibInflateInit2, zlibInflateReset } from "pako";
import type { DamageReport } from "./zlib-format.js";

/** zlib's `windowBits` for a window of 32 KiB (15) with a verified gzip header and trailer (16). */
const GZIP_WINDOW_BITS = 15 + 16;
/** Size of each output buffer in bytes: 256 KiB. */
const OUTPUT_BYTES: number = 2 ** 18;

// Status codes of zlib.
const Z_OK = 0;
const Z_STREAM_END = 1;
const Z_BUF_ERROR = -5;

/**
 * Inflates all members of a gzip stream in JavaScript. This takes twice as long as the platform's DecompressionStream, which
 * reads only one member. If the stream is damaged, delivers everything before the damage. Zeros may follow the last member as
 * padding, as in gzip(1).
 * @throws {RecordError} the result of `damaged` if the stream is damaged. Errors of `chunks` are passed on.
 */
export async function* inflateMembers(
  chunks: AsyncIterable<Uint8Array>,
  damaged: DamageReport,
): AsyncGenerator<Uint8Array, void> {
  const stream = new ZStream();
  zlibInflateInit2(stream, GZIP_WINDOW_BITS);
  let isWithinMember = true;
  let isPadding = false;
  for await (const chunk of chunks) {
    let rest = chunk;
    while (rest.length > 0) {
      if (!isWithinMember) {
        const isZero = rest.every((byte) => byte === 0);
        isPadding ||= rest[0] === 0;
        if (isZero) break;
        if (isPadding || rest[0] !== 0x1f) throw damaged("trailing");
        zlibInflateReset(stream);
        isWithinMember = true;
      }
      isWithinMember = !(yield* inflateRest(stream, rest, damaged));
      rest = rest.subarray(stream.next_in);
    }
  }
  if (isWithinMember) throw damaged("truncated", new Error("unexpected end of file"));
}

/** Yields the inflated bytes of `input` up to its end or the end of the member. Returns true at the end of the member. */
function* inflateRest(
  stream: ZStream,
  input: Uint8Array,
  damaged: DamageReport,
): Generator<Uint8Array, boolean, undefined> {
  stream.input = input;
  stream.next_in = 0;
  stream.avail_in = input.length;
  do {
    stream.output = new Uint8Array(OUTPUT_BYTES);
    stream.next_out = 0;
    stream.avail_out = OUTPUT_BYTES;
    const status = zlibInflate(stream, Z_OK);
    if (stream.next_out > 0) yield stream.output.subarray(0, stream.next_out);
    if (status === Z_STREAM_END) return true;
    // Z_BUF_ERROR is not damage if the output is full or more input is needed.
    const isWaiting = status === Z_BUF_ERROR && (stream.avail_in === 0 || stream.avail_out === 0);
    if (status !== Z_OK && !isWaiting) throw damaged("corrupt", new Error(stream.msg));
  } while (stream.avail_in > 0 || stream.avail_out === 0);
  return false;
}
