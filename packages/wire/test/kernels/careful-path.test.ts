import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@jest/globals";
import { createExampleKernel } from "../../src/kernels/example-kernel.js";
import { type ExamplePlan, FeatureKind } from "../../src/kernels/index.js";

const field = (number: number, payload: readonly number[]): number[] => [
  number * 8 + 2,
  payload.length,
  ...payload,
];
const entry = (name: string, feature: readonly number[]): number[] =>
  field(1, [...field(1, [...new TextEncoder().encode(name)]), ...field(2, feature)]);
const run = (length: number): number[] => Array.from({ length }, (_, i) => (i * 37) & 127);

// In the form that serializers write, so that the fast path takes it until a mutation sends it elsewhere.
const entries = [
  entry("i", field(3, field(1, [1, 0x80, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]))),
  entry("f", field(2, field(1, run(16)))),
  entry("b", field(1, [...field(1, run(9)), ...field(1, []), ...field(1, run(70))])),
  entry("name", field(1, field(1, run(3)))),
  entry("none", []),
  entry("empty", field(2, [])),
];

const plans: readonly ExamplePlan[] = [
  {},
  { onMalformed: "skip", keepRawRecords: true },
  {
    columns: [
      { name: "b", kind: FeatureKind.bytes },
      { name: "i", kind: FeatureKind.int64 },
    ],
  },
  {
    columns: [{ name: "f", kind: FeatureKind.float }],
    unlisted: "error",
    ignored: ["b", "i", "name", "empty"],
  },
  { only: ["none", "f"] },
];

/** A small generator of numbers below `n` (Lehmer), the same in every run. */
function lehmer(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 48271) % 2147483647;
    return state % n;
  };
}

test.each(plans.map((plan, index) => ({ index, plan })))(
  "the fast path and the careful one agree on mutated records, plan $index",
  ({ plan, index }) => {
    const below = lehmer(index + 1);
    const fast = createExampleKernel(plan);
    const careful = createExampleKernel(plan, { isCareful: true });
    const limits = { maxRows: 7, maxBytes: 2000 };
    let numErrors = 0;
    for (let round = 0; round < 4000; round++) {
      const kept = entries.filter(() => below(3) > 0);
      const body = kept.flat();
      const length = body.length > 127 ? [(body.length & 127) | 128, body.length >> 7] : [body.length];
      const record = Uint8Array.from([0x0a, ...length, ...body]);
      for (let n = below(3); n > 0; n--) record[below(record.length)] = below(256);
      const push = (kernel: typeof fast): unknown =>
        kernel.pushRecords(record, Uint32Array.of(0), Uint32Array.of(record.length), 0, 1, limits);
      const [a, b] = [push(fast), push(careful)];
      if (!isDeepStrictEqual(a, b)) expect(a).toEqual(b);
      if ((a as { status: number }).status !== 0) numErrors++;
      if (fast.numRows >= 5 || (a as { isFull: boolean }).isFull) {
        const [left, right] = [fast.finish(), careful.finish()];
        if (!isDeepStrictEqual(left, right)) expect(left).toEqual(right);
      }
    }
    expect(fast.numSkipped).toBe(careful.numSkipped);
    expect(numErrors + fast.numSkipped).toBeGreaterThan(500);
  },
);
