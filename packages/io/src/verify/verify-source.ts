import type { Schema } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import type { Format, ReadPlan, ReadProgress } from "@tfxio/format";
import { type ByteSource, isTfxioError, type Position, type TfxioError } from "@tfxio/wire";
import { chooseFormat, isEmpty } from "../choose-format.js";
import { requestOf } from "../open-request.js";
import { composePlan } from "../reading/compose-plan.js";
import { fileColumns } from "./file-columns.js";
import type { VerifyOptions } from "./verify-options.js";
import type { Damage, FileReport } from "./verify-report.js";

/** Numbers of rows, skipped records and bytes read from a file so far. */
export type FileCounts = Pick<FileReport, "numRows" | "numSkipped" | "numBytes">;

/** Codes of errors that do not mean damage, such as invalid options. They are thrown, not reported. */
const NO_DAMAGE = ["invalid-argument", "unsupported", "user-function"] as const;

/** Codes of errors that may concern a single row. The report counts the rows before that row. */
const OF_A_ROW = [
  "corrupt-record",
  "truncated-record",
  "malformed-payload",
  "limit-exceeded",
  "schema-mismatch",
  "not-convertible",
  "out-of-range",
] as const;

/** Result of verifying one file. */
export interface VerifiedFile {
  readonly report: FileReport;
  /**
   * Columns of the file, from {@link fileColumns}. Absent if the option `drift` is not set, if the file is damaged, or
   * if it has neither rows nor declared types.
   */
  readonly schema?: Schema | undefined;
}

/** The part of a verification that all files share. */
export interface VerifyContext {
  /** Returns the format that {@link chooseFormat} chooses for all files together. Throws what `chooseFormat` throws. */
  readonly formatOfAll: () => Promise<Format>;
  /** Called with the counts so far whenever the format reports progress. */
  readonly onCounts: (counts: FileCounts) => void;
}

/**
 * Reads a file to its end, or to the first damage.
 * @throws {ArgumentError} `invalid-argument`; `unknown-format` (`unknown-id`) for an unknown format id.
 * @throws {UnsupportedError} `unsupported`.
 * @throws {UserFunctionError} `user-function`. Also throws `signal.reason`. Damage is reported, not thrown.
 */
export async function verifySource(
  source: ByteSource,
  options: VerifyOptions,
  { formatOfAll, onCounts }: VerifyContext,
): Promise<VerifiedFile> {
  const { uri } = source;
  let counts: FileCounts = { numRows: 0, numSkipped: 0, numBytes: 0 };
  let format: Format | undefined;
  const record = (now: FileCounts): void => {
    counts = now;
    onCounts(now);
  };
  try {
    format = await formatOf(source, options, formatOfAll);
    const schema = await readThrough(source, format, options, record);
    return { report: { uri, format: format.id, ...counts }, schema };
  } catch (error) {
    options.signal?.throwIfAborted();
    const isUnknownId = isTfxioError(error, "unknown-format") && error.reason === "unknown-id";
    if (!isTfxioError(error) || isUnknownId || isTfxioError(error, ...NO_DAMAGE)) throw error;
    return { report: { uri, ...(format && { format: format.id }), ...counts, damage: damageOf(error) } };
  }
}

/** Returns the format of a file. An empty file whose name does not reveal its format gets the format of the other files. */
async function formatOf(
  source: ByteSource,
  options: VerifyOptions,
  formatOfAll: VerifyContext["formatOfAll"],
): Promise<Format> {
  try {
    return await chooseFormat([source], options);
  } catch (error) {
    const isUndetected = isTfxioError(error, "unknown-format") && error.reason !== "unknown-id";
    if (!isUndetected || !(await isEmpty(source, { signal: options.signal }))) throw error;
    try {
      return await formatOfAll();
    } catch {
      throw error;
    }
  }
}

/** Reads a file to its end. Returns its columns if `drift` is set, otherwise undefined. */
async function readThrough(
  source: ByteSource,
  format: Format,
  options: VerifyOptions,
  onCounts: (counts: FileCounts) => void,
): Promise<Schema | undefined> {
  const { formatOptions = {}, limits, signal, drift = false } = options;
  const reader = await format.open([source], { options: formatOptions, limits, signal });
  try {
    const planBy = (batchSize?: number): Promise<ReadPlan> =>
      composePlan(format, reader, { ...requestOf(options), batchSize }, { signal });
    const plan = await planBy();
    const batches = batchesOf(plan, planBy, signal, onCounts);
    if (drift) {
      return await fileColumns(batches, {
        arrowSchema: plan.arrowSchema,
        maxColumns: limits?.maxColumns,
      });
    }
    for await (const _ of batches);
    return undefined;
  } finally {
    await reader.close();
  }
}

/**
 * Yields all batches, and reports the counts. If a row is damaged, yields the preceding rows of its batch one by one, then
 * throws.
 */
async function* batchesOf(
  plan: ReadPlan,
  planBy: (batchSize: number) => Promise<ReadPlan>,
  signal: AbortSignal | undefined,
  onCounts: (counts: FileCounts) => void,
): AsyncGenerator<RecordBatch, void, undefined> {
  let before: FileCounts = { numRows: 0, numSkipped: 0, numBytes: 0 };
  for (const split of plan.splits) {
    let [counts, position]: [FileCounts, Position | undefined] = [before, undefined];
    const read = (from: ReadPlan, start: Position | undefined): AsyncIterable<RecordBatch> => {
      const base = counts;
      const onProgress = (progress: ReadProgress): void => {
        counts = sum(base, progress);
        position = progress.position;
        onCounts(counts);
      };
      return from.read(split, { from: start, signal, onProgress });
    };
    try {
      yield* read(plan, undefined);
    } catch (error) {
      // The failed batch was dropped, including the intact rows before its damaged row. Read these rows again, one by one, so
      // that they are counted.
      if (isTfxioError(error, ...OF_A_ROW)) yield* read(await planBy(1), position);
      throw error;
    }
    before = counts;
  }
}

function sum(left: FileCounts, right: Pick<ReadProgress, "numRows" | "numSkipped" | "numBytes">): FileCounts {
  return {
    numRows: left.numRows + right.numRows,
    numSkipped: left.numSkipped + right.numSkipped,
    numBytes: left.numBytes + right.numBytes,
  };
}

function damageOf(error: TfxioError): Damage {
  const { code, reason, message } = error;
  const { recordIndex, byteOffset } = error as Partial<Pick<Damage, "recordIndex" | "byteOffset">>;
  return {
    code,
    ...(reason !== undefined && { reason }),
    message,
    ...(recordIndex !== undefined && { recordIndex }),
    ...(byteOffset !== undefined && { byteOffset }),
  };
}
