import { isDeepStrictEqual } from "node:util";
import {
  type ExampleKernel,
  type ExamplePlan,
  type Kernels,
  KernelStatus,
  maskCrc32c,
  type PushResult,
  typescriptKernels,
} from "../../../src/kernels/index.js";
import type { Draw } from "./draw.js";
import { exampleTree, kindOf, NAMES, steadyTree } from "./example-tree.js";
import { editTree, writeFields } from "./wire-tree.js";

/** What was found unequal, and how much was compared before. */
export interface Comparison {
  readonly difference: {
    readonly about: string;
    readonly expected: unknown;
    readonly actual: unknown;
  } | null;
  readonly numRecords: number;
  /** How many pushes ended with each status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly numSkipped: number;
}

const columnsOf = (names: readonly string[]): NonNullable<ExamplePlan["columns"]> =>
  names.map((name) => ({ name, kind: kindOf(name) }));

const plans: readonly ExamplePlan[] = [
  {},
  { onMalformed: "skip" },
  { keepRawRecords: true, onMalformed: "skip", ignored: [NAMES[2]!, NAMES[7]!] },
  { columns: columnsOf(NAMES), onMalformed: "skip" },
  { columns: columnsOf(NAMES.toReversed()), keepRawRecords: true },
  {
    columns: columnsOf(NAMES.slice(3, 12)),
    unlisted: "error",
    ignored: NAMES.slice(12),
    onMalformed: "skip",
  },
  { columns: columnsOf(NAMES.filter((_, i) => i % 4 > 0)), unlisted: "error" },
  { columns: columnsOf(NAMES.slice(5, 7)) },
  { columns: [] },
  { only: NAMES.slice(4, 14), onMalformed: "skip" },
];

/** Pushes the same random records into both, in the same random way, until something differs or all are compared. */
export function compareTwins(
  actual: Kernels,
  draw: Draw,
  numRecords: number,
  expected = typescriptKernels,
): Comparison {
  const pairs = plans.map((plan) => new TwinPair(expected.exampleDecoder(plan), actual.exampleDecoder(plan)));
  const statuses = new Map<number, number>();
  let compared = 0;
  let numSkipped = 0;
  const result = (difference: Comparison["difference"]): Comparison => ({
    difference,
    numRecords: compared,
    statuses,
    numSkipped,
  });
  while (compared < numRecords) {
    const records = randomRecords(draw);
    compared += records.length;
    const pair = draw.pick(pairs);
    const before = pair.numSkipped;
    const unequal = draw.oneIn(2)
      ? pair.pushFrames(draw, records, statuses)
      : pair.pushRecords(draw, records, statuses);
    numSkipped += pair.numSkipped - before;
    if (unequal !== null) return result(unequal);
    const scans = compareScans(draw, records, expected, actual);
    if (scans !== null) return result(scans);
  }
  for (const pair of pairs) {
    const unequal = pair.finish();
    if (unequal !== null) return result(unequal);
  }
  return result(null);
}

class TwinPair {
  constructor(
    private readonly expected: ExampleKernel,
    private readonly actual: ExampleKernel,
  ) {}

  get numSkipped(): number {
    return this.expected.numSkipped;
  }

  pushFrames(
    draw: Draw,
    records: readonly Uint8Array[],
    statuses: Map<number, number>,
  ): Comparison["difference"] {
    const bytes = framed(draw, records);
    const options = {
      verifyPayload: !draw.oneIn(4),
      maxRecordBytes: draw.pick([1e9, 1e9, 1e9, Infinity, 3000]),
    };
    const limits = randomLimits(draw);
    let p = draw.oneIn(10) ? Math.min(draw.below(20), bytes.length) : 0;
    // In one go, or as if the bytes came bit by bit.
    let end = draw.oneIn(2) ? bytes.length : p;
    for (let stalled = 0; stalled < 2; ) {
      const results = [this.expected, this.actual].map((kernel) =>
        kernel.pushTfRecords(bytes, p, end, limits, options),
      );
      const unequal = this.compare("pushTfRecords", results);
      if (unequal !== null) return unequal;
      const { status, consumed, isFull } = results[0]!;
      count(statuses, status);
      if (status !== KernelStatus.ok) return null;
      p += consumed;
      if (isFull || draw.oneIn(20)) {
        const finished = this.finish();
        if (finished !== null) return finished;
      }
      stalled = consumed === 0 && end === bytes.length ? stalled + 1 : 0;
      end = Math.min(bytes.length, end + draw.below(2000));
    }
    return null;
  }

  pushRecords(
    draw: Draw,
    records: readonly Uint8Array[],
    statuses: Map<number, number>,
  ): Comparison["difference"] {
    const { bytes, starts, ends } = block(draw, records);
    const limits = randomLimits(draw);
    for (let from = 0, stalled = 0; stalled < 2; ) {
      const to = draw.oneIn(4) ? from + draw.below(records.length - from + 1) : records.length;
      const results = [this.expected, this.actual].map((kernel) =>
        kernel.pushRecords(bytes, starts, ends, from, to, limits),
      );
      const unequal = this.compare("pushRecords", results);
      if (unequal !== null) return unequal;
      const { status, consumed, isFull } = results[0]!;
      count(statuses, status);
      if (status !== KernelStatus.ok) return null;
      from += consumed;
      stalled = consumed === 0 && to === records.length ? stalled + 1 : 0;
      if (isFull || draw.oneIn(20)) {
        const finished = this.finish();
        if (finished !== null) return finished;
      }
    }
    return null;
  }

  finish(): Comparison["difference"] {
    return differenceOf("finish", this.expected.finish(), this.actual.finish());
  }

  private compare(about: string, results: readonly PushResult[]): Comparison["difference"] {
    const state = ({ numRows, numBytes, numSkipped }: ExampleKernel): unknown => ({
      numRows,
      numBytes,
      numSkipped,
    });
    return differenceOf(
      about,
      { ...defined(results[0]!), ...defined(state(this.expected)) },
      { ...defined(results[1]!), ...defined(state(this.actual)) },
    );
  }
}

function compareScans(
  draw: Draw,
  records: readonly Uint8Array[],
  expected: Kernels,
  actual: Kernels,
): Comparison["difference"] {
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

function randomRecords(draw: Draw): Uint8Array[] {
  if (draw.oneIn(20))
    return Array.from({ length: 20 + draw.below(150) }, () => writeFields(steadyTree(draw)));
  return Array.from({ length: 1 + draw.below(12) }, () => {
    const tree = exampleTree(draw, draw.oneIn(2));
    if (draw.oneIn(3)) for (let n = draw.below(3); n >= 0; n--) editTree(draw, tree);
    const bytes = writeFields(tree);
    if (draw.oneIn(25))
      for (let n = draw.below(3); n >= 0; n--) bytes[draw.below(bytes.length)] = draw.below(256);
    return draw.oneIn(25) ? bytes.subarray(0, draw.below(bytes.length + 1)) : bytes;
  });
}

function randomLimits(draw: Draw): { maxRows: number; maxBytes: number } {
  return {
    maxRows: draw.pick([1, 7, 64, 65, 300, Infinity]),
    maxBytes: draw.pick([0, 1000, 20_000, 1e6, Infinity, Infinity]),
  };
}

/** Frames of the records, one of which may be damaged. */
function framed(draw: Draw, records: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(records.reduce((total, { length }) => total + length + 16, 0));
  const view = new DataView(bytes.buffer);
  let p = 0;
  for (const record of records) {
    const length = draw.oneIn(150)
      ? draw.pick([2 ** 32 - 1, 2 ** 31, record.length + 1, 5000])
      : record.length;
    view.setUint32(p, length, true);
    view.setUint32(p + 4, draw.oneIn(200) ? 1 : 0, true);
    view.setUint32(p + 8, maskCrc32c(typescriptKernels.crc32c(bytes, p, p + 8)), true);
    bytes.set(record, p + 12);
    view.setUint32(p + 12 + record.length, maskCrc32c(typescriptKernels.crc32c(record)), true);
    p += record.length + 16;
  }
  if (draw.oneIn(20)) bytes[draw.below(bytes.length)]! ^= 1 << draw.below(8);
  return bytes;
}

/** The records with gaps between them, in any order. */
function block(
  draw: Draw,
  records: readonly Uint8Array[],
): { bytes: Uint8Array; starts: Uint32Array; ends: Uint32Array } {
  const starts = new Uint32Array(records.length);
  const ends = new Uint32Array(records.length);
  const order = draw.oneIn(4) ? [...records.keys()].toReversed() : [...records.keys()];
  const parts: Uint8Array[] = [];
  let p = 0;
  for (const index of order) {
    const gap = Uint8Array.from(draw.bytes(draw.pick([0, 0, 3, 12])));
    parts.push(gap, records[index]!);
    starts[index] = p + gap.length;
    ends[index] = p + gap.length + records[index]!.length;
    p = ends[index]!;
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), starts, ends };
}

function differenceOf(about: string, expected: unknown, actual: unknown): Comparison["difference"] {
  return isDeepStrictEqual(expected, actual) ? null : { about, expected, actual };
}

/** Without the properties that are undefined. */
function defined(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value as object).filter(([, property]) => property !== undefined));
}

function count(counts: Map<number, number>, status: number): void {
  counts.set(status, (counts.get(status) ?? 0) + 1);
}
