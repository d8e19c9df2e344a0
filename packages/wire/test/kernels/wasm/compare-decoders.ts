import { type Kernels, typescriptKernels } from "../../../src/kernels/index.js";
import type { Draw } from "./draw.js";
import { framed, hostileRecords } from "./hostile-input.js";
import { type Difference, differenceOf, DecoderPair } from "./decoder-pair.js";
import { examplePlans, sequencePlans } from "./decoder-plans.js";

/** The first difference, or null, and the amount of data compared. */
export interface Comparison {
  readonly difference: Difference | null;
  readonly numRecords: number;
  /** For each type of record: the numbers of records, of skipped records, and of pushes with each status. */
  readonly tallies: Readonly<Record<Payload, Tally>>;
}

type Payload = "example" | "sequence";
interface Tally {
  numRecords: number;
  numSkipped: number;
  readonly statuses: Map<number, number>;
}

/** Number of records between two progress reports, about half a minute of work. */
const PROGRESS_STEP = 20_000;

/**
 * Pushes random Examples and SequenceExamples into the TypeScript kernels and into `actual`, in the same random way, until a
 * result differs or `numRecords` records are compared. Calls `onProgress` about every {@link PROGRESS_STEP} records.
 */
export function compareDecoders(
  actual: Kernels,
  draw: Draw,
  numRecords: number,
  onProgress?: (compared: number) => void,
): Comparison {
  const expected = typescriptKernels;
  const pairs = {
    example: examplePlans.map(
      (plan) => new DecoderPair(expected.exampleDecoder(plan), actual.exampleDecoder(plan)),
    ),
    sequence: sequencePlans.map(
      (plan) => new DecoderPair(expected.sequenceExampleDecoder(plan), actual.sequenceExampleDecoder(plan)),
    ),
  };
  const tallies = { example: newTally(), sequence: newTally() };
  let compared = 0;
  const result = (difference: Difference | null): Comparison => ({
    difference,
    numRecords: compared,
    tallies,
  });
  while (compared < numRecords) {
    const payload = draw.pick(["example", "sequence"] as const);
    const records = hostileRecords(draw, payload);
    compared += records.length;
    if (compared % PROGRESS_STEP < records.length) onProgress?.(compared);
    const pair = draw.pick(pairs[payload]);
    const tally = tallies[payload];
    const before = pair.numSkipped;
    const unequal = draw.oneIn(2)
      ? pair.pushFrames(draw, records, tally.statuses)
      : pair.pushRecords(draw, records, tally.statuses);
    tally.numRecords += records.length;
    tally.numSkipped += pair.numSkipped - before;
    if (unequal !== null) return result(unequal);
    const scans = compareScans(draw, records, expected, actual);
    if (scans !== null) return result(scans);
  }
  for (const pair of [...pairs.example, ...pairs.sequence]) {
    const unequal = pair.finish();
    if (unequal !== null) return result(unequal);
  }
  return result(null);
}

function newTally(): Tally {
  return { numRecords: 0, numSkipped: 0, statuses: new Map() };
}

function compareScans(
  draw: Draw,
  records: readonly Uint8Array[],
  expected: Kernels,
  actual: Kernels,
): Difference | null {
  if (!draw.oneIn(8)) return null;
  const bytes = framed(draw, records);
  const options = { verifyPayload: !draw.oneIn(8), maxRecordBytes: draw.pick([1e9, Infinity, 3000]) };
  const end = draw.oneIn(2) ? bytes.length : draw.below(bytes.length + 1);
  const most = draw.oneIn(2) ? Infinity : draw.below(10);
  const [left, right] = [expected, actual].map((kernels) =>
    kernels.scanTfRecords(bytes, 0, end, most, options),
  );
  const checksum = differenceOf("crc32c", expected.crc32c(bytes, 3, end), actual.crc32c(bytes, 3, end));
  return checksum ?? differenceOf("scanTfRecords", left, right);
}
