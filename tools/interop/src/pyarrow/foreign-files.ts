import path from "node:path";
import type { PlainRow } from "@tfxio/arrow-encoding";
import type { Format, ReadRequest, WritableFormat } from "@tfxio/format";
import { openSources, openTarget } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";

/** A file that external software wrote, and its expected rows in the form of `plainRows`. */
export interface ForeignFile {
  readonly file: string;
  readonly writer: string;
  readonly rows: readonly PlainRow[];
}

/** Reads all batches of a file with the reader of `format`. */
export async function readBatches(
  format: Format,
  file: string,
  { request = {}, options = {} }: { readonly request?: ReadRequest; readonly options?: object } = {},
): Promise<RecordBatch[]> {
  const reader = await format.open(await openSources(file), { options });
  const batches: RecordBatch[] = [];
  try {
    const plan = await reader.plan(request);
    for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  } finally {
    await reader.close();
  }
  return batches;
}

/** Writes batches to a file. @throws {Error} if there are no batches. */
export async function writeBatches(
  format: WritableFormat,
  file: string,
  batches: readonly RecordBatch[],
  options: object,
): Promise<void> {
  const [first] = batches;
  if (first === undefined) throw new Error(`${path.basename(file)} must get at least one batch, found none`);
  const target = await openTarget(file);
  try {
    const writer = await format.createWriter(target, { arrowSchema: first.schema, options });
    for (const batch of batches) await writer.write(batch);
    await writer.finish();
    await target.commit();
  } catch (error) {
    await target.discard();
    throw error;
  }
}

/** For each reader: the rows that it found in one of our files and the expected rows, or the error if it rejected the file. */
export type Readings = Readonly<
  Record<string, { readonly wanted?: unknown; readonly found?: unknown; readonly error?: string }>
>;

/** Reports one check per reader. @param what Kind of the file that we wrote, for the titles of the checks. */
export async function checkReadings(what: string, readings: Readings, { check }: Reporter): Promise<void> {
  for (const [reader, { wanted, found, error }] of Object.entries(readings)) {
    await check(`${reader} reads the ${what} file that we wrote`, () => {
      if (error !== undefined) throw new Error(error);
      assertSame(wanted, found);
    });
  }
}
