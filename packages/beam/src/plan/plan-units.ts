import type { FormatRegistry, ReadPlan, Split } from "@tfxio/format";
import { openRead, type ReadDescription, type Tfxio } from "@tfxio/io";
import { type ByteStore, inParallel } from "@tfxio/wire";
import { anAbortSignal, aPositiveInteger, assertOptions, type OptionRules } from "@tfxio/wire/checks";
import { type Unit, unitsOf } from "./unit.js";

/** Options for opening the data of a {@link ReadDescription}. */
export interface OpenUnitsOptions {
  /**
   * Formats to try first, such as custom ones. The standard formats are tried next, then the module that the description names.
   * Default: none.
   */
  readonly formats?: FormatRegistry | undefined;
  /**
   * Stores to use first, with this process's credentials. A store for any other scheme is built by the module that the
   * description names. Default: none.
   */
  readonly stores?: readonly ByteStore[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link planUnits}. */
export interface PlanUnitsOptions extends OpenUnitsOptions {
  /**
   * Target size of a unit, in stored bytes. Default 64 MiB, which a worker reads in a few seconds. With units of that size, a
   * retry repeats little work, and all workers finish at about the same time.
   */
  readonly unitBytes?: number | undefined;
}

/** A read divided into units, as JSON. A worker needs only the description and the units that it runs. */
export interface UnitPlan {
  readonly version: 1;
  /**
   * The described read, with the version of each source if it is known. A unit fails if a source that it reads has another
   * version.
   */
  readonly description: ReadDescription;
  /** All units, in reading order. */
  readonly units: readonly Unit[];
}

/** Rules of {@link OpenUnitsOptions}. */
export const OPEN_UNITS_RULES: OptionRules<OpenUnitsOptions> = {
  formats: null,
  stores: null,
  signal: anAbortSignal,
};

const DEFAULT_UNIT_BYTES = 64 * 1024 * 1024;

/**
 * Maximum number of files that are opened at the same time. More requests rarely help, and object stores start to reject them.
 */
const MAX_FILES_AT_ONCE = 16;

/**
 * Divides a described read into units of about `unitBytes`. Any process can run any unit. TFRecord and CSV files are split
 * between records, JSON Lines files between lines, Arrow files between record batches, Parquet files between row groups, and Avro
 * files between blocks. A unit may therefore exceed `unitBytes`. A large file that cannot be split, such as a gzip file, is one
 * unit. Small files share units.
 *
 * Only a file that is larger than a unit or of unknown size is opened to find boundaries. Most formats read only small parts of
 * it, but CSV reads an uncompressed file whole unless `multiline` is false. Up to 16 such files are open at a time.
 *
 * Formats that take column names or types from files also open files smaller than a unit. Arrow, Avro and Parquet open the first
 * file if a schema is given, or if the data is a single file. Without a schema, none of several files is opened, because
 * their columns may differ. CSV without a schema samples the first 4 MiB of all files together, or reads every file if `infer` is
 * "full". Equal files give equal plans.
 * @param description The result of `describeRead`.
 * @throws {ArgumentError} `invalid-argument` for invalid options. Also throws the errors of `openRead`, and of reading the files
 *   that are opened.
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

/**
 * Returns a function that returns the stored size of a part in bytes, or undefined if the size is unknown. Unless the format
 * gives the size, it is the length of the part's byte range, or of the file if the part has no range.
 */
function sizesOf({ sources }: ReadDescription): (part: Split) => number | undefined {
  const lengths = new Map(sources.map(({ uri, byteLength }) => [uri, byteLength]));
  return ({ uri, start = 0, end = lengths.get(uri), numBytes }) =>
    numBytes ?? (end === undefined ? undefined : end - start);
}

function withSize(part: Split, numBytes: number | undefined): Split {
  return numBytes === undefined || part.numBytes !== undefined ? part : { ...part, numBytes };
}
