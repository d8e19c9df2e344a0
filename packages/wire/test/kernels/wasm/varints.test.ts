import { expect, test } from "@jest/globals";
import { FeatureKind, KernelStatus } from "../../../src/kernels/index.js";
import { createWasmKernels } from "../../../src/kernels/wasm/wasm-kernels.js";
import { Draw } from "./draw.js";
import { block } from "./hostile-input.js";
import { field, varint, writeFields } from "./wire-tree.js";

const LIMITS = { maxRows: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
const utf8 = new TextEncoder();

/** Returns an Example whose feature `x` has these packed `bytes`. */
function record(bytes: readonly number[]): Uint8Array {
  const entry = [field(1, [...utf8.encode("x")]), field(2, [field(3, [field(1, [...bytes])])])];
  return writeFields([field(1, [field(1, entry)])]);
}

function decoded(records: readonly Uint8Array[]) {
  const decoder = createWasmKernels().exampleDecoder({ columns: [{ name: "x", kind: FeatureKind.int64 }] });
  const { bytes, starts, ends } = block(new Draw(3), records);
  const { status } = decoder.pushRecords(bytes, starts, ends, 0, ends.length, LIMITS);
  return { status, values: decoder.finish().columns[0]?.values };
}

/** Returns a random number whose varint has `size` bytes. */
function numberOf(size: number, draw: Draw): bigint {
  const numBits = Math.min(size * 7, 64);
  const low = (BigInt(draw.below(2 ** 31)) << 32n) | BigInt(draw.below(2 ** 31));
  return BigInt.asIntN(
    64,
    BigInt.asUintN(numBits - 1, low * 0x9e37_79b9_7f4a_7c15n) | (1n << BigInt(numBits - 1)),
  );
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  "lists of 0 to 60 varints are decoded correctly (bytes of each varint: %d)",
  (size) => {
    const draw = new Draw(size);
    const lists = Array.from({ length: 61 }, (_, n) => Array.from({ length: n }, () => numberOf(size, draw)));
    const { status, values } = decoded(lists.map((list) => record(list.flatMap((value) => varint(value)))));
    expect(status).toBe(KernelStatus.ok);
    expect(Array.from(values as BigInt64Array)).toEqual(lists.flat());
  },
);

test.each([2, 4, 5, 8, 9, 10])(
  "varints of random lengths from 1 to %d bytes are decoded correctly",
  (largest) => {
    const draw = new Draw(largest * 100);
    const lists = Array.from({ length: 400 }, () =>
      Array.from({ length: draw.below(50) }, () => numberOf(1 + draw.below(largest), draw)),
    );
    const { values } = decoded(lists.map((list) => record(list.flatMap((value) => varint(value)))));
    expect(Array.from(values as BigInt64Array)).toEqual(lists.flat());
  },
);

test("small numbers encoded in up to ten bytes are decoded correctly", () => {
  const draw = new Draw(7);
  const lists = Array.from({ length: 400 }, () =>
    Array.from({ length: draw.below(40) }, () => ({ value: draw.below(128), spareBytes: draw.below(10) })),
  );
  const bytesOf = (list: (typeof lists)[number]) =>
    list.flatMap(({ value, spareBytes }) => varint(value, spareBytes));
  const { values } = decoded(lists.map((list) => record(bytesOf(list))));
  expect(Array.from(values as BigInt64Array)).toEqual(lists.flat().map(({ value }) => BigInt(value)));
});

test.each([11, 12, 15, 16, 17, 40])("a varint of %d bytes is rejected at any position", (size) => {
  for (let numBefore = 0; numBefore < 20; numBefore++) {
    const before = Array.from({ length: numBefore }, (_, i) => varint(2 ** (i * 2))).flat();
    expect(decoded([record([...before, ...varint(1, size - 1), 5])]).status).toBe(
      KernelStatus.malformedPayload,
    );
  }
});

test.each([1, 3, 7, 9, 15])(
  "a list is rejected if it ends in an incomplete varint (bytes of the varint: %d)",
  (numBytes) => {
    for (let numBefore = 0; numBefore < 20; numBefore++) {
      const before = Array.from({ length: numBefore }, () => varint(300)).flat();
      const cut = Array.from({ length: numBytes }, () => 0x81);
      expect(decoded([record([...before, ...cut])]).status).toBe(KernelStatus.malformedPayload);
    }
  },
);
