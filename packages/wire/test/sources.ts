import type { ByteSource, StreamOptions } from "../src/sources/byte-source.js";
import { bytesSource } from "../src/sources/bytes-source.js";
import { isTfxioError, type TfxioErrorCode, type TfxioErrorOf } from "../src/errors.js";
import type { RecordBlock } from "../src/record-block.js";

/** Creates a source that streams chunks of the sizes that `nextSize` returns. Each chunk is in new memory. */
export function choppedSource(bytes: Uint8Array, nextSize: () => number, byteLength?: number): ByteSource {
  return {
    ...bytesSource(bytes, "chopped"),
    byteLength,
    async *stream({ start = 0 }: StreamOptions = {}) {
      for (let at = start; at < bytes.length; ) {
        const size = nextSize();
        yield bytes.slice(at, at + size);
        at += size;
      }
    },
  };
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns copies of all payloads, in order. */
export async function payloadsOf(blocks: AsyncIterable<RecordBlock>): Promise<Uint8Array[]> {
  const payloads: Uint8Array[] = [];
  for await (const { bytes, numRecords, starts, ends, firstRecordIndex } of blocks) {
    if (firstRecordIndex !== payloads.length) throw new Error("blocks are not consecutive");
    for (let i = 0; i < numRecords; i++) payloads.push(bytes.slice(starts[i], ends[i]));
  }
  return payloads;
}

/** Resolves to the `TfxioError` with which `run` fails. Rejects if `run` succeeds, or fails with any other error or code. */
export async function failure<Code extends TfxioErrorCode>(
  run: Promise<unknown> | (() => unknown),
  ...codes: readonly Code[]
): Promise<TfxioErrorOf<Code>> {
  try {
    await (typeof run === "function" ? run() : run);
  } catch (error) {
    if (isTfxioError(error, ...codes)) return error;
    throw error;
  }
  throw new Error("expected an error");
}
