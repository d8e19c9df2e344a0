import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, jest, test } from "@jest/globals";
import { bufferStream } from "../../src/sources/buffer-stream.js";
import { isByteStream } from "../../src/sources/byte-stream.js";
import { SourceError } from "../../src/errors.js";
import { openSources } from "../../src/sources/open-sources.js";
import { streamSource } from "../../src/sources/stream-source.js";
import { tfRecordBlocks } from "../../src/tfrecord/tfrecord-blocks.js";
import { collect, failure, payloadsOf } from "../sources.js";
import { frame } from "../tfrecord-bytes.js";

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index * 7);
const never = new Promise<never>(() => {});
const end = { done: true, value: undefined };
const folder = mkdtempSync(path.join(os.tmpdir(), "wire-streams-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(path.join(folder, "a.bin"), bytes);

/** Yields `bytes` in chunks of 70 bytes, each followed by an empty chunk. With `reused`, the chunks share one buffer. */
async function* chunks({ onEnd = () => {}, reused = false } = {}): AsyncGenerator<Uint8Array, void> {
  const buffer = new Uint8Array(70);
  try {
    for (let at = 0; at < bytes.length; at += 70) {
      const chunk = bytes.slice(at, at + 70);
      buffer.set(chunk);
      yield reused ? buffer.subarray(0, chunk.length) : chunk;
      buffer.fill(0xee);
      yield new Uint8Array(0);
    }
  } finally {
    onEnd();
  }
}
const webStream = () => new Blob([bytes]).stream() as ReadableStream<Uint8Array>;
const nodeStream = () => createReadStream(path.join(folder, "a.bin"), { highWaterMark: 70 });

describe("streamSource", () => {
  test.each([
    ["an async iterable", () => chunks()],
    ["a promise of an async iterable", async () => chunks()],
    ["a web stream", webStream],
    ["a Node stream", nodeStream],
  ])("reads %s repeatedly, from any byte", async (_, open) => {
    const source = streamSource(open);
    expect(source).toMatchObject({ uri: "stream" });
    expect(source.byteLength).toBeUndefined();
    for (const start of [0, 1, 70, 999, 1000, 2000]) {
      for await (const chunk of source.stream({ start })) expect(chunk.length).toBeGreaterThan(0);
      expect(await collect(source.stream({ start }))).toEqual(bytes.subarray(start));
      expect(await source.slice(start, start + 75)).toEqual(bytes.subarray(start, start + 75));
    }
    expect(await source.slice(5, 5)).toHaveLength(0);
    const [chunk] = [await source.slice(0, 3)];
    expect(Object.getPrototypeOf(chunk)).toBe(Uint8Array.prototype);
  });

  test("stops reading at the end of a slice, and closes the stream", async () => {
    const onEnd = jest.fn();
    let numRead = 0;
    const source = streamSource(async function* () {
      for await (const chunk of chunks({ onEnd })) {
        numRead++;
        yield chunk;
      }
    });
    await source.slice(0, 75);
    expect(numRead).toBe(3);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  test("is what openSources uses for a function, but openSources rejects a stream that is already open", async () => {
    const [other, source] = await openSources([bytes, () => chunks()]);
    expect([other!.uri, source!.uri]).toEqual(["bytes:0", "stream:1"]);
    expect(source!.origin).toBeUndefined();
    expect(await collect(source!.stream())).toEqual(bytes);
    const error = await failure(openSources([chunks() as never]), "invalid-argument");
    expect(error.reason).toBe("source-type");
    expect(error.message).toContain("pass a function that opens it");
  });

  test("returns a source from which TFRecords can be read", async () => {
    const payloads = [bytes, bytes.subarray(5)];
    const file = Buffer.concat(payloads.map(frame));
    const source = streamSource(async function* () {
      for (let at = 0; at < file.length; at += 100) yield new Uint8Array(file.subarray(at, at + 100));
    });
    expect(await payloadsOf(tfRecordBlocks(source))).toEqual(payloads);
  });

  test("rejects a value that is not a function, and a function that does not return a stream of bytes", async () => {
    await failure(() => streamSource(5 as never), "invalid-argument");
    const bad: readonly [() => unknown, string][] = [
      [() => 5, "must be a ReadableStream or an AsyncIterable"],
      [
        async function* () {
          yield "text";
        },
        'must deliver Uint8Arrays, found "text"',
      ],
    ];
    for (const [open, message] of bad) {
      const error = await failure(collect(streamSource(open as never, "s").stream()), "invalid-argument");
      expect(error.reason).toBe("source-type");
      expect(error.message).toContain(message);
    }
  });

  test("reports a failure of the stream, and passes on TfxioErrors and the reason of the signal", async () => {
    const mine = new RangeError("mine");
    const failing = streamSource(async function* () {
      yield bytes;
      throw mine;
    }, "s");
    expect(await failure(collect(failing.stream()), "io-failed")).toMatchObject({
      reason: "stream",
      uri: "s",
      cause: mine,
    });
    const gone = new SourceError("not-found", "gone");
    const missing = streamSource(() => {
      throw gone;
    });
    await expect(missing.slice(0, 1)).rejects.toBe(gone);
    const controller = new AbortController();
    const reading = collect(streamSource(() => never).stream({ signal: controller.signal }));
    controller.abort("enough");
    await expect(reading).rejects.toBe("enough");
  });
});

describe("isByteStream", () => {
  test("distinguishes streams from other values", () => {
    for (const stream of [chunks(), webStream(), new Blob([]).stream()])
      expect(isByteStream(stream)).toBe(true);
    for (const other of [null, undefined, 5, "text", bytes, new Blob([]), () => chunks(), [bytes]]) {
      expect(isByteStream(other)).toBe(false);
    }
  });
});

describe("bufferStream", () => {
  test.each([
    ["an async iterable", () => chunks()],
    ["a producer that reuses its memory", () => chunks({ reused: true })],
    ["a web stream", webStream],
    ["a Node stream", nodeStream],
  ])("returns the head, then a sample, and then all bytes of %s", async (_, open) => {
    const stream = bufferStream(open(), "s");
    expect(await stream.head(0)).toHaveLength(0);
    expect(await stream.head(75)).toEqual(bytes.subarray(0, 75));
    expect(await stream.head(10)).toEqual(bytes.subarray(0, 10));
    let numSampled = 0;
    for await (const chunk of stream.sample()) {
      expect(Buffer.compare(chunk, bytes.subarray(numSampled, numSampled + chunk.length))).toBe(0);
      numSampled += chunk.length;
      if (numSampled >= 300) break;
    }
    expect(await stream.head(90)).toEqual(bytes.subarray(0, 90));
    const parts: Uint8Array[] = [];
    for await (const chunk of stream.rest()) parts.push(chunk.slice());
    expect(Buffer.compare(Buffer.concat(parts), bytes)).toBe(0);
    await stream.close();
  });

  test("returns all bytes if the stream is shorter than the requested head", async () => {
    const stream = bufferStream(chunks());
    expect(await stream.head(5000)).toEqual(bytes);
    expect(await collect(stream.sample())).toEqual(bytes);
    expect(await collect(stream.sample())).toEqual(bytes);
    expect(await collect(stream.rest())).toEqual(bytes);
  });

  test("reads nothing before a request, and no more than necessary", async () => {
    let numPulled = 0;
    const stream = bufferStream(
      (async function* () {
        for (; numPulled < 10; numPulled++) yield Uint8Array.of(numPulled);
      })(),
    );
    expect(numPulled).toBe(0);
    await stream.head(3);
    expect(numPulled).toBe(2);
  });

  test("shares chunks between simultaneous requests", async () => {
    const stream = bufferStream(chunks());
    const heads = await Promise.all([stream.head(75), stream.head(700), collect(stream.sample())]);
    expect(heads).toEqual([bytes.subarray(0, 75), bytes.subarray(0, 700), bytes]);
    expect(await collect(stream.rest())).toEqual(bytes);
  });

  test("rejects further requests after rest() or close()", async () => {
    const stream = bufferStream(chunks(), "s");
    const sample = stream.sample()[Symbol.asyncIterator]();
    await sample.next();
    stream.rest();
    const again = [() => stream.rest(), () => stream.head(1), () => stream.sample(), () => sample.next()];
    for (const use of again) {
      expect(await failure(async () => use(), "invalid-argument")).toMatchObject({
        reason: "stream-consumed",
      });
    }
    await stream.close();
    expect(await failure(stream.head(1), "invalid-argument")).toMatchObject({ reason: "closed" });
  });

  test("keeps the stream open after an abandoned sample, and closes it after a loop over rest(), or on close()", async () => {
    const onEnd = jest.fn();
    const stream = bufferStream(chunks({ onEnd }));
    for await (const _ of stream.sample()) break;
    expect(onEnd).not.toHaveBeenCalled();
    for await (const _ of stream.rest()) break;
    expect(onEnd).toHaveBeenCalledTimes(1);
    const unread = jest.fn();
    const other = bufferStream(chunks({ onEnd: unread }));
    await other.head(1);
    await other.close();
    await other.close();
    expect(unread).toHaveBeenCalledTimes(1);
  });

  test("lets a caller abandon or abort a request while the stream stalls, without losing later bytes", async () => {
    let deliver: (chunk: Uint8Array) => void = () => {};
    const cancel = jest.fn<() => void>();
    const stalled = new ReadableStream<Uint8Array>({
      start(controller) {
        deliver = (chunk) => controller.enqueue(chunk);
      },
      cancel,
    });
    const stream = bufferStream(stalled);
    const controller = new AbortController();
    const head = stream.head(2, { signal: controller.signal });
    const sample = stream.sample()[Symbol.asyncIterator]();
    const pending = sample.next();
    controller.abort("enough");
    await expect(head).rejects.toBe("enough");
    expect(await sample.return?.()).toEqual(end);
    expect(await pending).toEqual(end);
    const rest = stream.rest()[Symbol.asyncIterator]();
    const first = rest.next();
    deliver(Uint8Array.of(1));
    expect((await first).value).toEqual(Uint8Array.of(1));
    const second = rest.next();
    expect(await rest.return?.()).toEqual(end);
    expect(await second).toEqual(end);
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  test("delivers the bytes before a failure", async () => {
    const failing = async function* () {
      yield bytes;
      throw new RangeError("mine");
    };
    const stream = bufferStream(failing());
    expect(await failure(stream.head(2000), "io-failed")).toMatchObject({ reason: "stream" });
    expect(await stream.head(1000)).toEqual(bytes);
    const rest = stream.rest()[Symbol.asyncIterator]();
    expect((await rest.next()).value).toEqual(bytes);
    await failure(rest.next(), "io-failed");
  });

  test("rejects a value that is not a stream", async () => {
    expect(await failure(() => bufferStream(5 as never), "invalid-argument")).toMatchObject({
      reason: "source-type",
    });
  });
});
