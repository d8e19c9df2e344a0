import { expect, test } from "@jest/globals";
import { GatheredBytes } from "../../src/tfrecord/gathered-bytes.js";

test("memory for a record grows as bytes arrive, and is not allocated for the whole declared length at the start", () => {
  const gathered = new GatheredBytes(Uint8Array.of(1, 2));
  const declared = 2 ** 30;
  for (let total = 2; total < 2 ** 20; total += 2 ** 10) {
    gathered.add(new Uint8Array(2 ** 10), declared);
    expect(gathered.bytes.buffer.byteLength).toBeLessThanOrEqual(2 * gathered.bytes.length);
  }
  expect(gathered.bytes.length).toBe(2 ** 20 + 2);
  expect([...gathered.bytes.subarray(0, 3)]).toEqual([1, 2, 0]);
});

test("memory does not grow beyond the record, and the last bytes are added without copying the earlier bytes", () => {
  const gathered = new GatheredBytes(new Uint8Array(600));
  gathered.add(new Uint8Array(100), 1000);
  const { buffer } = gathered.bytes;
  expect(buffer.byteLength).toBe(1000);
  gathered.add(new Uint8Array(300).fill(7), 1000);
  expect(gathered.bytes.buffer).toBe(buffer);
  expect(gathered.bytes.at(-1)).toBe(7);
});
