import { expect, test } from "@jest/globals";
import { isDeepStrictEqual } from "node:util";
import { isTfxioError } from "@tfxio/wire";
import { createExampleDecoder } from "../src/index.js";
import { columnsOf } from "./plain-batch.js";
import { type JudgedFeature, judge } from "./protobuf-judge.js";
import { Draw, seededRandom } from "./random.js";
import { randomExample } from "./random-example.js";
import { parseByTheBook } from "./textbook-parser.js";

const block = { uri: "fuzz", numRecords: 1, starts: Uint32Array.of(0), firstRecordIndex: 0, byteOffset: 0 };
const limits = { maxRows: Infinity, maxBytes: Infinity };
const NUM_RECORDS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 100_000);

test(`${NUM_RECORDS} mutated records give coded errors or what the judges read`, () => {
  const draw = new Draw(seededRandom(2026));
  const decoder = createExampleDecoder();
  const skipping = createExampleDecoder({ onMalformed: "skip" });
  let numMalformed = 0;
  let numUndisputed = 0;
  for (let i = 0; i < NUM_RECORDS; i++) {
    const record = mutated(draw, randomExample(draw, draw.oneIn(2) ? "plain" : "wild", draw.oneIn(4)));
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
  // The mutations have to leave enough of both.
  expect(numMalformed / NUM_RECORDS).toBeGreaterThan(0.2);
  expect(numMalformed / NUM_RECORDS).toBeLessThan(0.8);
  expect(numUndisputed / NUM_RECORDS).toBeGreaterThan(0.4);
}, 300_000);

/** Cuts, flips, inserts, removes, repeats, or overwrites lengths: one to three times. */
function mutated(draw: Draw, bytes: number[]): Uint8Array {
  for (let n = draw.below(4); n > 0 && bytes.length > 0; n--) {
    const at = draw.below(bytes.length);
    switch (draw.below(7)) {
      case 0:
        bytes.length = at;
        break;
      case 1:
        bytes[at]! ^= 1 << draw.below(8);
        break;
      case 2:
        bytes.splice(at, 0, ...draw.bytes(1 + draw.below(4)));
        break;
      case 3:
        bytes.splice(at, 1 + draw.below(4));
        break;
      case 4:
        bytes.splice(at, 0, ...bytes.slice(at, at + draw.below(20)));
        break;
      case 5:
        bytes[at] = draw.pick([0, 0x7f, 0x80, 0xff, 0x0a, 0x0b, 0x0c, 0x12, 0x1a]);
        break;
      default:
        bytes[at] = (bytes[at]! + draw.pick([1, 255])) & 255;
    }
  }
  return Uint8Array.from(bytes);
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

/** A byte of input makes one int64 at most, and each column has the offsets of one row. */
function assertBounded(numBytes: number, record: Uint8Array, numColumns: number): void {
  const most = 8 * record.length + 16 * numColumns;
  if (numBytes > most) expect(numBytes).toBeLessThanOrEqual(most);
}
