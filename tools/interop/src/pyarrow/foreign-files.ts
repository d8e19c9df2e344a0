import path from "node:path";
import type { PlainRow } from "@tfxio/arrow-encoding";
import type { Format, ReadRequest, WritableFormat } from "@tfxio/format";
import { openSources, openTarget } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";

/** A file that foreign software wrote, and its rows as `plainRows` has them. */
export interface ForeignFile {
  readonly file: string;
  readonly writer: string;
  readonly rows: readonly PlainRow[];
}

/** All batches of a file, in the types of the format. */
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

/** Writes a file of at least one batch. */
export async function writeBatches(
  format: WritableFormat,
  file: string,
  batches: readonly RecordBatch[],
  options: object,
): Promise<void> {
  const [first] = batches;
  if (first === undefined) throw new Error(`no batch to write to ${path.basename(file)}`);
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

/** The rows that readers found in one of our files, and the expected rows; or the reason why they refused it. */
export type Readings = Readonly<
  Record<string, { readonly wanted?: unknown; readonly found?: unknown; readonly error?: string }>
>;

/** One check for each reader. @param what we wrote, for people. */
export async function checkReadings(what: string, readings: Readings, { check }: Reporter): Promise<void> {
  for (const [reader, { wanted, found, error }] of Object.entries(readings)) {
    await check(`${reader} reads ${what} as we write it`, () => {
      if (error !== undefined) throw new Error(error);
      assertSame(wanted, found);
    });
  }
}
