import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@jest/globals";
import {
  createExampleKernel,
  createSequenceExampleKernel,
} from "../../src/kernels/typescript/example-kernel.js";
import {
  type ExampleKernel,
  type ExamplePlan,
  FeatureKind,
  type PushResult,
  type SequenceExamplePlan,
} from "../../src/kernels/index.js";

const field = (number: number, payload: readonly number[]): number[] => [
  number * 8 + 2,
  payload.length,
  ...payload,
];
const entry = (name: string, feature: readonly number[]): number[] =>
  field(1, [...field(1, [...new TextEncoder().encode(name)]), ...field(2, feature)]);
const run = (length: number): number[] => Array.from({ length }, (_, i) => (i * 37) & 127);

// Entries in the form that serializers write, so that the fast path is used unless a mutation prevents it.
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

// Feature lists whose steps are similar to the features above. They are in the form that serializers write, too.
const steps = (...features: readonly (readonly number[])[]): number[] =>
  features.flatMap((feature) => field(1, feature));
const listEntries = [
  entry("i", steps(field(3, field(1, [1, 0x80, 1])), [], field(3, []), field(3, field(1, [7])))),
  entry("f", steps(field(2, field(1, run(8))), field(2, field(1, run(4))))),
  entry("b", steps(field(1, [...field(1, run(9)), ...field(1, [])]), [], [])),
  entry("none", steps([], [])),
  entry("empty", []),
];
const listPlans: readonly SequenceExamplePlan[] = plans.map(({ onMalformed, keepRawRecords, ...plan }) => ({
  ...plan,
  onMalformed,
  keepRawRecords,
  featureLists: plan,
}));

/** Returns a Lehmer generator, a function that returns a number below `n`. */
function lehmer(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 48271) % 2147483647;
    return state % n;
  };
}

/**
 * Returns a field whose field number is `number`. Its content is a message with random entries of `from`, a few of them twice.
 */
function message(
  number: number,
  from: readonly (readonly number[])[],
  below: (n: number) => number,
): number[] {
  const body = from.flatMap((one) => (below(3) > 0 ? [...one, ...(below(16) === 0 ? one : [])] : []));
  const length = body.length > 127 ? [(body.length & 127) | 128, body.length >> 7] : [body.length];
  return [number * 8 + 2, ...length, ...body];
}

/**
 * Passes the same mutated records to both kernels, which must agree. Returns the number of records that were rejected or skipped.
 */
function numBadRecords(
  fast: ExampleKernel,
  strict: ExampleKernel,
  below: (n: number) => number,
  makeRecord: () => number[],
): number {
  const limits = { maxRows: 7, maxBytes: 2000 };
  let numErrors = 0;
  for (let round = 0; round < 4000; round++) {
    const record = Uint8Array.from(makeRecord());
    for (let n = below(3); n > 0; n--) record[below(record.length)] = below(256);
    const push = (kernel: ExampleKernel): PushResult =>
      kernel.pushRecords(record, Uint32Array.of(0), Uint32Array.of(record.length), 0, 1, limits);
    const [a, b] = [push(fast), push(strict)];
    if (!isDeepStrictEqual(a, b)) expect(a).toEqual(b);
    if (a.status !== 0) numErrors++;
    if (fast.numBytes !== strict.numBytes) expect(fast.numBytes).toBe(strict.numBytes);
    if (fast.numRows >= 5 || a.isFull) {
      const [left, right] = [fast.finish(), strict.finish()];
      if (!isDeepStrictEqual(left, right)) expect(left).toEqual(right);
    }
  }
  expect(fast.numSkipped).toBe(strict.numSkipped);
  return numErrors + fast.numSkipped;
}

test.each(plans.map((plan, index) => ({ index, plan })))(
  "the fast path and the strict path agree on mutated Examples with plan $index",
  ({ plan, index }) => {
    const below = lehmer(index + 1);
    const fast = createExampleKernel(plan);
    const strict = createExampleKernel(plan, { isStrict: true });
    expect(numBadRecords(fast, strict, below, () => message(1, entries, below))).toBeGreaterThan(500);
  },
);

test.each(listPlans.map((plan, index) => ({ index, plan })))(
  "the fast path and the strict path agree on mutated SequenceExamples with plan $index",
  ({ plan, index }) => {
    const below = lehmer(index + 11);
    const fast = createSequenceExampleKernel(plan);
    const strict = createSequenceExampleKernel(plan, { isStrict: true });
    const record = (): number[] => [
      ...(below(2) > 0 ? message(1, entries, below) : []),
      ...message(2, listEntries, below),
    ];
    expect(numBadRecords(fast, strict, below, record)).toBeGreaterThan(500);
  },
);
