import { expect, test } from "@jest/globals";
import { isDeepStrictEqual } from "node:util";
import { isTfxioError } from "@tfxio/wire";
import { createExampleDecoder, createSequenceExampleDecoder } from "../src/index.js";
import { columnsOf } from "./plain-batch.js";
import { mutated } from "./mutated.js";
import { type JudgedFeature, type JudgedSequence, judge, judgeSequence } from "./protobuf-judge.js";
import { Draw, seededRandom } from "./random.js";
import { randomExample, randomSequenceExample } from "./random-example.js";
import { parseByTheBook, parseSequenceByTheBook } from "./textbook-parser.js";

const block = { uri: "fuzz", numRecords: 1, starts: Uint32Array.of(0), firstRecordIndex: 0, byteOffset: 0 };
const limits = { maxRows: Infinity, maxBytes: Infinity };
/** Numbers of tf.Examples and tf.SequenceExamples in a quick run. `pnpm check` tests more. */
const NUM_RECORDS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000);
const NUM_SEQUENCES = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 5_000);

test(`${NUM_RECORDS} mutated tf.Examples are rejected as malformed, or decode to the values of the reference parsers`, () => {
  const draw = new Draw(seededRandom(2026));
  const decoder = createExampleDecoder();
  const skipping = createExampleDecoder({ onMalformed: "skip" });
  let numMalformed = 0;
  let numUndisputed = 0;
  for (let i = 0; i < NUM_RECORDS; i++) {
    const record = mutated(draw, randomExample(draw, draw.oneIn(2) ? "usual" : "arbitrary", draw.oneIn(4)));
    const { features, isDisputed } = parseByTheBook(record);
    if (!isDisputed) {
      numUndisputed++;
      assertSame(judge(record), features, record);
    }
    if (features === null) {
      numMalformed++;
      assertMalformed(() => decoder.decode([record]), record);
      skipping.push({ ...block, bytes: record, ends: Uint32Array.of(record.length) }, 0, limits);
    } else {
      const batch = decoder.decode([record]);
      assertSame(columnsOf(batch), columnsOfRow(features), record);
      assertBounded(
        batch.data.children.reduce((total, column) => total + column.byteLength, 0),
        record,
        features.size,
      );
    }
  }
  expect(skipping.finish().numRows).toBe(0);
  expect(skipping.numSkipped).toBe(numMalformed);
  // The mutations must result in enough valid and enough malformed records.
  expect(numMalformed / NUM_RECORDS).toBeGreaterThan(0.2);
  expect(numMalformed / NUM_RECORDS).toBeLessThan(0.8);
  expect(numUndisputed / NUM_RECORDS).toBeGreaterThan(0.4);
}, 300_000);

test(`${NUM_SEQUENCES} mutated tf.SequenceExamples are rejected, or decode to the values of the reference parsers`, () => {
  const draw = new Draw(seededRandom(4711));
  const decoder = createSequenceExampleDecoder();
  const skipping = createSequenceExampleDecoder({ onMalformed: "skip" });
  const numSeen = { malformed: 0, undisputed: 0, mixed: 0 };
  for (let i = 0; i < NUM_SEQUENCES; i++) {
    const form = draw.oneIn(2) ? "usual" : "arbitrary";
    const record = mutated(draw, randomSequenceExample(draw, form, draw.oneIn(8)));
    const { sequence, isDisputed } = parseSequenceByTheBook(record);
    if (!isDisputed) {
      numSeen.undisputed++;
      assertSame(judgeSequence(record), sequence, record);
    }
    if (sequence === null) {
      numSeen.malformed++;
      assertMalformed(() => decoder.decode([record]), record);
      skipping.push({ ...block, bytes: record, ends: Uint32Array.of(record.length) }, 0, limits);
    } else if (hasMixedList(sequence)) {
      numSeen.mixed++;
      expect(() => decoder.decode([record])).toThrow(expect.objectContaining({ reason: "wrong-kind" }));
    } else {
      const batch = decoder.decode([record]);
      assertSame(columnsOf(batch), columnsOfSequence(sequence), record);
      const numBytes = batch.data.children.reduce((total, column) => total + column.byteLength, 0);
      assertBounded(numBytes, record, sequence.context.size + 2 * sequence.lists.size);
    }
  }
  expect(skipping.finish().numRows).toBe(0);
  expect(skipping.numSkipped).toBe(numSeen.malformed);
  expect(numSeen.malformed / NUM_SEQUENCES).toBeGreaterThan(0.2);
  expect(numSeen.malformed / NUM_SEQUENCES).toBeLessThan(0.8);
  expect(numSeen.undisputed / NUM_SEQUENCES).toBeGreaterThan(0.4);
  expect(numSeen.mixed).toBeGreaterThan(0);
}, 300_000);

/** Returns true if any list of the record has steps of different kinds. Decoders reject such a record. */
function hasMixedList({ lists }: JudgedSequence): boolean {
  return [...lists.values()].some(
    (steps) => new Set(steps.flatMap((step) => (step === null ? [] : step.kind))).size > 1,
  );
}

function columnsOfSequence({ context, lists, hasLists }: JudgedSequence): Record<string, unknown[]> {
  const steps = Array.from(lists, ([name, features]) => [
    name,
    features.map((one) => one && [...one.values]),
  ]);
  return {
    ...columnsOfRow(context),
    ...(hasLists && { "##SEQUENCE##": [Object.fromEntries(steps) as unknown] }),
  };
}

function columnsOfRow(features: Map<string, JudgedFeature>): Record<string, unknown[]> {
  return Object.fromEntries(
    Array.from(features, ([name, feature]) => [name, [feature && [...feature.values]]]),
  );
}

function assertSame(actual: unknown, expected: unknown, record: Uint8Array): void {
  if (isDeepStrictEqual(actual, expected)) return;
  expect({ record: Buffer.from(record).toString("hex"), result: actual }).toEqual({ result: expected });
}

function assertMalformed(decode: () => unknown, record: Uint8Array): void {
  let result: unknown;
  try {
    result = decode();
  } catch (error) {
    if (!isTfxioError(error, "malformed-payload")) throw error;
    if (error.byteOffset !== undefined && error.byteOffset <= record.length) return;
    result = error;
  }
  expect({ record: Buffer.from(record).toString("hex"), result }).toBe("malformed");
}

/** Asserts a bound on memory: at most 8 bytes for each byte of input, plus 16 bytes for the offsets of each column. */
function assertBounded(numBytes: number, record: Uint8Array, numColumns: number): void {
  const most = 8 * record.length + 16 * numColumns;
  if (numBytes > most) expect(numBytes).toBeLessThanOrEqual(most);
}
