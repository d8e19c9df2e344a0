import { openRead, type Tfxio } from "@tfxio/io";
import { aFunction, assertOptions } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { OPEN_UNITS_RULES, type OpenUnitsOptions, type UnitPlan } from "./plan-units.js";
import type { Unit } from "./unit.js";

/** Totals of a unit so far. */
export interface UnitProgress {
  /** Number of rows in the batches so far. */
  readonly numRows: number;
  /** Number of bytes read, after decompression. */
  readonly numBytes: number;
  /** Number of malformed records that were skipped, if the options of the format allow that. */
  readonly numSkipped: number;
}

/** Options of {@link runUnit}. */
export interface RunUnitOptions extends OpenUnitsOptions {
  /** Called before each batch, and at the end of a part whose last records were skipped. */
  readonly onProgress?: ((progress: UnitProgress) => void) | undefined;
}

/**
 * Reads the record batches of one unit, in reading order. Opens the data at the first `next()`, and closes it when the loop ends
 * for any reason. Batch boundaries depend only on the unit, so every attempt at a unit yields equal batches.
 * @throws {SourceError} `io-failed` (`source-changed`) if a source has changed since the read was described.
 * @throws {ArgumentError} `invalid-argument` for invalid options. The reason is `unknown-split` for a unit of another plan. Also
 *   throws the errors of `openRead`, and errors about the data, which name the file and the record.
 */
export async function* runUnit(
  { description }: Pick<UnitPlan, "description">,
  unit: Unit,
  options: RunUnitOptions = {},
): AsyncGenerator<RecordBatch, void, undefined> {
  assertOptions("runUnit", options, { ...OPEN_UNITS_RULES, onProgress: aFunction });
  const { signal, onProgress, ...openOptions } = options;
  const tfxio = await openRead(description, { ...openOptions, signal });
  try {
    yield* batchesOf(tfxio, unit, { signal, onProgress });
  } finally {
    await tfxio.close();
  }
}

/** Reads the record batches of one unit from open data, which the caller must close. */
export async function* batchesOf(
  tfxio: Tfxio,
  unit: Unit,
  { signal, onProgress }: Pick<RunUnitOptions, "signal" | "onProgress">,
): AsyncGenerator<RecordBatch, void, undefined> {
  const plan = await tfxio.plan();
  // `done` has the totals of all parts before the current one. `sum` also includes the current part so far.
  let done: UnitProgress = { numRows: 0, numBytes: 0, numSkipped: 0 };
  for (const part of unit.parts) {
    let sum = done;
    yield* plan.read(part, {
      signal,
      onProgress: ({ numRows, numBytes, numSkipped }) => {
        sum = {
          numRows: done.numRows + numRows,
          numBytes: done.numBytes + numBytes,
          numSkipped: done.numSkipped + numSkipped,
        };
        onProgress?.(sum);
      },
    });
    done = sum;
  }
}
