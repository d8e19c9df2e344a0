import { getEventListeners } from "node:events";
import { describe, expect, test } from "@jest/globals";
import { streamOf } from "../../src/sources/abortable-reads.js";
import type { ByteSource } from "../../src/sources/byte-source.js";
import { bytesSource, decompressed, tfRecordBlocks } from "../../src/index.js";

const never = new Promise<never>(() => {});
/** A source that ignores its signal and delivers nothing. */
const deaf: ByteSource = {
  uri: "deaf",
  slice: () => never,
  async *stream() {
    yield await never;
  },
};
const done = { done: true, value: undefined };

describe("while a source ignores its signal,", () => {
  test.each([
    ["streamOf", () => streamOf(deaf)],
    ["decompressed with automatic detection", () => decompressed(deaf)],
    ["decompressed without compression", () => decompressed(deaf, { compression: "none" })],
    ["decompressed with gzip", () => decompressed(deaf, { compression: "gzip" })],
    ["tfRecordBlocks", () => tfRecordBlocks(deaf)],
    ["tfRecordBlocks with gzip", () => tfRecordBlocks(deaf, { compression: "gzip" })],
  ])("%s resolves return() immediately", async (_, read) => {
    const items = read();
    const pending = items.next();
    await new Promise(setImmediate);
    expect(await items.return()).toEqual(done);
    expect(await pending).toEqual(done);
    expect(await items.next()).toEqual(done);
  });
});

describe("streamOf", () => {
  test("aborts the signal of the source on return(), and keeps no listener", async () => {
    const { signal } = new AbortController();
    let heard: AbortSignal | undefined;
    const items = streamOf(
      {
        ...deaf,
        async *stream(options) {
          heard = options?.signal;
          yield await never;
        },
      },
      { signal },
    );
    const pending = items.next();
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await items.return();
    expect(heard?.aborted).toBe(true);
    expect(await pending).toEqual(done);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("waits for the source to close if a loop over the stream ends early", async () => {
    let isClosed = false;
    const source: ByteSource = {
      ...bytesSource(new Uint8Array(0)),
      async *stream() {
        try {
          yield Uint8Array.of(1);
        } finally {
          await new Promise((resolve) => setTimeout(resolve, 10));
          isClosed = true;
        }
      },
    };
    for await (const _ of streamOf(source)) break;
    expect(isClosed).toBe(true);
  });
});
