import { isDeepStrictEqual } from "node:util";
import { type ExampleKernel, KernelStatus, type PushResult } from "../../../src/kernels/index.js";
import type { Draw } from "./draw.js";
import { block, framed } from "./hostile-input.js";

/** A difference between two results, and the function that returned them. */
export interface Difference {
  readonly about: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * Two decoders that must behave in the same way. After an error, the records that follow are still pushed if they can be found.
 */
export class DecoderPair {
  constructor(
    private readonly expected: ExampleKernel,
    private readonly actual: ExampleKernel,
  ) {}

  get numSkipped(): number {
    return this.expected.numSkipped;
  }

  pushFrames(draw: Draw, records: readonly Uint8Array[], statuses: Map<number, number>): Difference | null {
    const bytes = framed(draw, records);
    const options = {
      verifyPayload: !draw.oneIn(4),
      maxRecordBytes: draw.pick([1e9, 1e9, 1e9, Infinity, 3000]),
    };
    const limits = randomLimits(draw);
    let p = draw.oneIn(10) ? Math.min(draw.below(20), bytes.length) : 0;
    // Pushes all bytes at once, or as if they arrived piece by piece.
    let end = draw.oneIn(2) ? bytes.length : p;
    for (let stalled = 0; stalled < 2; ) {
      const results = [this.expected, this.actual].map((kernel) =>
        kernel.pushTfRecords(bytes, p, end, limits, options),
      );
      const unequal = this.compare("pushTfRecords", results);
      if (unequal !== null) return unequal;
      const { status, consumed, isFull } = results[0]!;
      count(statuses, status);
      p += consumed;
      if (status !== KernelStatus.ok) {
        if (status === KernelStatus.lengthCrc || status === KernelStatus.recordTooLong) return null;
        p += 16 + new DataView(bytes.buffer).getUint32(p, true);
        continue;
      }
      if (isFull || draw.oneIn(20)) {
        const finished = this.finish();
        if (finished !== null) return finished;
      }
      stalled = consumed === 0 && end === bytes.length ? stalled + 1 : 0;
      end = Math.min(bytes.length, end + draw.below(2000));
    }
    return null;
  }

  pushRecords(draw: Draw, records: readonly Uint8Array[], statuses: Map<number, number>): Difference | null {
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
      from += consumed;
      if (status !== KernelStatus.ok) {
        from++;
        continue;
      }
      stalled = consumed === 0 && to === records.length ? stalled + 1 : 0;
      if (isFull || draw.oneIn(20)) {
        const finished = this.finish();
        if (finished !== null) return finished;
      }
    }
    return null;
  }

  finish(): Difference | null {
    return differenceOf("finish", this.expected.finish(), this.actual.finish());
  }

  private compare(about: string, results: readonly PushResult[]): Difference | null {
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

function randomLimits(draw: Draw): { maxRows: number; maxBytes: number } {
  return {
    maxRows: draw.pick([1, 7, 64, 65, 300, Infinity]),
    maxBytes: draw.pick([0, 1000, 20_000, 1e6, Infinity, Infinity]),
  };
}

export function differenceOf(about: string, expected: unknown, actual: unknown): Difference | null {
  return isDeepStrictEqual(expected, actual) ? null : { about, expected, actual };
}

/** Returns a copy without undefined properties. */
function defined(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value as object).filter(([, property]) => property !== undefined));
}

function count(counts: Map<number, number>, status: number): void {
  counts.set(status, (counts.get(status) ?? 0) + 1);
}
