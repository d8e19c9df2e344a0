import type { FormatRegistry, ReadPlan, Split } from "@tfxio/format";
import { openRead, type ReadDescription, type Tfxio } from "@tfxio/io";
import { type ByteStore } from "@tfxio/wire";
import { anAbortSignal, aPositiveInteger, assertOptions, type OptionRules } from "@tfxio/wire/checks";
import { type Unit, unitsOf } from "./unit.js";

/** How a process opens the described data. */
export interface OpenUnitsOptions {
  /** Formats to look the described one up in. Default: the standard ones, then the module that the description names. */
  readonly formats?: FormatRegistry | undefined;
  /** Stores of the described sources, with this process's credentials. Default: those that the description can build. */
  readonly stores?: readonly ByteStore[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link planUnits}. */
export interface PlanUnitsOptions extends OpenUnitsOptions {
  /**
   * Wanted stored bytes of a unit. Default 64 MiB: a few seconds of work, so that a lost unit costs little and the last units
   * do not keep one worker busy for long.
   */
  readonly unitBytes?: number | undefined;
}

/** A read cut into units, as JSON: hand it to workers together with the units that they should run. */
export interface UnitPlan {
  readonly version: 1;
  /** What to read, with the version of every source. A source that has changed since is an error of the unit. */
  readonly description: ReadDescription;
  /** In the order of the data. */
  readonly units: readonly Unit[];
}

export const OPEN_UNITS_RULES: OptionRules<OpenUnitsOptions> = {
  formats: null,
  stores: null,
  signal: anAbortSignal,
};

const DEFAULT_UNIT_BYTES = 64 * 1024 * 1024;

/**
 * Cuts a described read into units of about `unitBytes`, each of which any process can run. TFRecords are cut by their index,
 * lines of text at line ends, Parquet files by row group. A file that cannot be cut, such as a gzip file, is one unit
 * whatever its size. Small files share a unit.
 *
 * A file larger than a unit is opened to find its cuts, and never read whole. Smaller files are not opened. Equal files give equal
 * plans.
 * @param description from `describeRead`.
 * @throws {ArgumentError} `invalid-argument`. Errors of opening the sources.
 * @see docs/guides/beam.md
 */
export async function planUnits(
  description: ReadDescription,
  options: PlanUnitsOptions = {},
): Promise<UnitPlan> {
  assertOptions("planUnits", options, { ...OPEN_UNITS_RULES, unitBytes: aPositiveInteger });
  const { unitBytes = DEFAULT_UNIT_BYTES, ...openOptions } = options;
  const cut: ReadDescription = {
    ...description,
    request: { ...description.request, splitBytes: unitBytes },
  };
  return withPlan(cut, openOptions, async (plan) => {
    const sizeOf = sizesOf(description);
    const parts: Split[] = [];
    for (const split of plan.splits) {
      options.signal?.throwIfAborted();
      const isSmall = (sizeOf(split) ?? Number.POSITIVE_INFINITY) <= unitBytes;
      const pieces =
        isSmall || plan.subdivide === undefined
          ? [split]
          : await plan.subdivide(split, { signal: options.signal });
      for (const piece of pieces) parts.push(withSize(piece, sizeOf(piece)));
    }
    return { version: 1, description: cut, units: unitsOf(parts, unitBytes) };
  });
}

/** Opens described data, hands its plan to `use`, and closes it. */
async function withPlan<Result>(
  description: ReadDescription,
  { formats, stores, signal }: OpenUnitsOptions,
  use: (plan: ReadPlan, tfxio: Tfxio) => Promise<Result>,
): Promise<Result> {
  const tfxio = await openRead(description, { formats, stores, signal });
  try {
    return await use(await tfxio.plan(), tfxio);
  } finally {
    await tfxio.close();
  }
}

/** Stored bytes of a part: a byte range has those of the range, and a whole file those of the description. */
function sizesOf({ sources }: ReadDescription): (part: Split) => number | undefined {
  const lengths = new Map(sources.map(({ uri, byteLength }) => [uri, byteLength]));
  return ({ uri, start = 0, end = lengths.get(uri), numBytes }) =>
    numBytes ?? (end === undefined ? undefined : end - start);
}

function withSize(part: Split, numBytes: number | undefined): Split {
  return numBytes === undefined || part.numBytes !== undefined ? part : { ...part, numBytes };
}
