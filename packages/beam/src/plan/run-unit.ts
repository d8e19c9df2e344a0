import { openRead, type Tfxio } from "@tfxio/io";
import { assertOptions } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { OPEN_UNITS_RULES, type OpenUnitsOptions, type UnitPlan } from "./plan-units.js";
import type { Unit } from "./unit.js";

/**
 * The record batches of one unit, in reading order. Opens the data at the first `next()`, and closes it when the loop ends for
 * any reason. Batch boundaries depend only on the unit, so every attempt at a unit yields equal batches.
 * @throws {SourceError} `io-failed` (`source-changed`) if a source has changed since it was planned.
 * @throws {ArgumentError} `invalid-argument` (`unknown-split`) for a unit of another plan. Also throws errors of the data, which
 *   name file and record.
 */
export async function* runUnit(
  { description }: Pick<UnitPlan, "description">,
  unit: Unit,
  options: OpenUnitsOptions = {},
): AsyncGenerator<RecordBatch, void, undefined> {
  assertOptions("runUnit", options, OPEN_UNITS_RULES);
  const tfxio = await openRead(description, options);
  try {
    yield* batchesOf(tfxio, unit, options.signal);
  } finally {
    await tfxio.close();
  }
}

/** The record batches of one unit of open data, which the caller closes. */
export async function* batchesOf(
  tfxio: Tfxio,
  unit: Unit,
  signal: AbortSignal | undefined,
): AsyncGenerator<RecordBatch, void, undefined> {
  const plan = await tfxio.plan();
  for (const part of unit.parts) yield* plan.read(part, { signal });
}
