import type { FormatRegistry, ReadPlan, Split } from "@tfxio/format";
import { openRead, type ReadDescription, type Tfxio } from "@tfxio/io";
import { type ByteStore, inParallel } from "@tfxio/wire";
import { anAbortSignal, aPositiveInteger, assertOptions, type OptionRules } from "@tfxio/wire/checks";
import { type Unit, unitsOf } from "./unit.js";

/** Options for opening described data. */
export interface OpenUnitsOptions {
  /** Formats to search for the described one. Default: the standard formats, then the module that the description names. */
  readonly formats?: FormatRegistry | undefined;
  /** Stores of the described sources, with this process's credentials. Default: stores built from the description. */
  readonly stores?: readonly ByteStore[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link planUnits}. */
export interface PlanUnitsOptions extends OpenUnitsOptions {
  /**
   * Target size of a unit, in stored bytes. Default 64 MiB, a few seconds of work. So a lost unit costs little, and no
   * worker stays busy long after the others are done.
   */
  readonly unitBytes?: number | undefined;
}

/** A read cut into units, as JSON. A worker needs the description and its own units. */
export interface UnitPlan {
  readonly version: 1;
  /** The described read, with the version of every source. A unit fails if one of its sources has changed. */
  readonly description: ReadDescription;
  /** In reading order. */
  readonly units: readonly Unit[];
}

export const OPEN_UNITS_RULES: OptionRules<OpenUnitsOptions> = {
  formats: null,
  stores: null,
  signal: anAbortSignal,
};

const DEFAULT_UNIT_BYTES = 64 * 1024 * 1024;

/** Number of files that are opened at the same time. More requests seldom help, and object stores start to reject them. */
const MAX_FILES_AT_ONCE = 16;

/**
 * Cuts a described read into units of about `unitBytes`. Any process can run any unit. TFRecord files are cut between records,
 * text files between lines, Parquet files between row groups. A cut is at the first such boundary after the target size. A file
 * that cannot be cut, such as a gzip file, is one unit. Small files share units.
 *
 * A file larger than a unit is opened to find its cuts, up to 16 files at a time, but never read whole. Smaller files are not
 * opened. Equal files give equal plans.
 * @param description The result of `describeRead`.
 * @throws {ArgumentError} `invalid-argument`. Also throws the errors of `openRead`, and of reading the larger files.
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
    const piecesOf = await inParallel(plan.splits, MAX_FILES_AT_ONCE, async (split) => {
      options.signal?.throwIfAborted();
      const isSmall = (sizeOf(split) ?? Number.POSITIVE_INFINITY) <= unitBytes;
      if (isSmall || plan.subdivide === undefined) return [split];
      return plan.subdivide(split, { signal: options.signal });
    });
    const parts = piecesOf.flat().map((piece) => withSize(piece, sizeOf(piece)));
    return { version: 1, description: cut, units: unitsOf(parts, unitBytes) };
  });
}

/** Opens described data, calls `use` with its plan, and closes the data. */
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

/** Stored bytes of a part: the length of its byte range, or of its file. Undefined if the length of the file is unknown. */
function sizesOf({ sources }: ReadDescription): (part: Split) => number | undefined {
  const lengths = new Map(sources.map(({ uri, byteLength }) => [uri, byteLength]));
  return ({ uri, start = 0, end = lengths.get(uri), numBytes }) =>
    numBytes ?? (end === undefined ? undefined : end - start);
}

function withSize(part: Split, numBytes: number | undefined): Split {
  return numBytes === undefined || part.numBytes !== undefined ? part : { ...part, numBytes };
}
