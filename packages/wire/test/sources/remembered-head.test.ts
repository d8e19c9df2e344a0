import { expect, test } from "@jest/globals";
import { type ByteSource, bytesSource, rememberHead } from "../../src/index.js";
import { collect } from "../sources.js";
import { randomNumbers } from "../tfrecord-bytes.js";

const MEBIBYTE = 2 ** 20;
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index * 7);

/** Creates a source that records its reads. It has no length if `isUnsized` is set. */
function recording(bytes: Uint8Array, { isUnsized = false } = {}): ByteSource & { readonly reads: string[] } {
  const { byteLength, ...base } = bytesSource(bytes, "some");
  const reads: string[] = [];
  return {
    ...base,
    ...(!isUnsized && { byteLength }),
    reads,
    slice(start, end, options) {
      reads.push(`slice ${start}-${end}`);
      return base.slice(start, end, options);
    },
    stream(options) {
      reads.push(`stream ${options?.start ?? 0}`);
      return base.stream(options);
    },
  };
}

test.each([0, 1, 5000, MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 3 * MEBIBYTE])(
  "rememberHead returns the same slices and streams as its source (length in bytes: %d)",
  async (length) => {
    const bytes = bytesOf(length);
    const random = randomNumbers(5);
    for (const isUnsized of [false, true]) {
      const source = rememberHead(recording(bytes, { isUnsized }));
      for (let round = 0; round < 8; round++) {
        const start = Math.floor(random() * (length + 2));
        const end = start + Math.floor(random() * 2 * MEBIBYTE);
        expect((await source.slice(start, end)).length).toBe(bytes.slice(start, end).length);
        expect(Buffer.compare(await source.slice(start, end), bytes.slice(start, end))).toBe(0);
        if (round % 3 === 2) {
          expect(Buffer.compare(await collect(source.stream({ start })), bytes.slice(start))).toBe(0);
        }
      }
    }
  },
);

test("rememberHead reads each byte only once if a caller reads the start and then everything", async () => {
  const base = recording(bytesOf(3 * MEBIBYTE));
  const source = rememberHead(base);
  await source.slice(0, 12);
  for await (const chunk of source.stream()) {
    expect(chunk.length).toBe(MEBIBYTE);
    break;
  }
  await source.slice(0, 12);
  await collect(source.stream());
  expect(base.reads).toEqual([`slice 0-${MEBIBYTE}`, `stream ${MEBIBYTE}`]);
  await collect(source.stream());
  expect(base.reads.slice(2)).toEqual(["stream 0"]);
});

test("rememberHead reads the source again after a failed read", async () => {
  const base = recording(bytesOf(10));
  let isBroken = true;
  const source = rememberHead({
    ...base,
    slice: async (...range) => {
      if (isBroken) throw new Error("broken");
      return base.slice(...range);
    },
  });
  await expect(source.slice(0, 3)).rejects.toThrow("broken");
  await expect(collect(source.stream())).rejects.toThrow("broken");
  isBroken = false;
  expect(await collect(source.stream())).toEqual(bytesOf(10));
});

test("rememberHead hands over slices if its source does, and still keeps the remembered bytes", async () => {
  expect(rememberHead(bytesSource(bytesOf(10))).handsOverSlices).toBeUndefined();
  const bytes = bytesOf(5000);
  const ofBuffers: ByteSource = {
    ...recording(bytes),
    handsOverSlices: true,
    slice: async (start, end) => Buffer.from(new Uint8Array(bytes.subarray(start, end)).buffer),
  };
  for (const inner of [{ ...recording(bytes), handsOverSlices: true }, ofBuffers]) {
    const source = rememberHead(inner);
    expect(source.handsOverSlices).toBe(true);
    const first = await source.slice(100, 200);
    structuredClone(first.buffer, { transfer: [first.buffer as ArrayBuffer] });
    expect(await source.slice(0, 5000)).toEqual(bytes);
  }
});
