import { plainRows, type PlainRow } from "@tfxio/arrow-encoding";
import type { Limits, ReadProgress, ReadRequest } from "@tfxio/format";
import { jsonl, type JsonlOptions } from "@tfxio/formats-jsonl";
import { bytesSource, isTfxioError, type TfxioError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

/** Everything that a test can set for reading. */
export interface Reading {
  readonly options?: Partial<JsonlOptions> | undefined;
  readonly request?: ReadRequest | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Reads all batches of a file named `rows.jsonl`. */
export async function readBatches(
  content: string | Uint8Array,
  reading: Reading = {},
): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for await (const batch of batchesOf(content, reading)) batches.push(batch);
  return batches;
}

/** Yields batches as they arrive, so that a test can count those before an error. */
export async function* batchesOf(
  content: string | Uint8Array,
  { options, request, limits, onProgress }: Reading = {},
): AsyncGenerator<RecordBatch, void, undefined> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const reader = await jsonl.open([bytesSource(bytes, "rows.jsonl")], { options, limits });
  try {
    const plan = await reader.plan(request);
    for (const split of plan.splits) yield* plan.read(split, { onProgress });
  } finally {
    await reader.close();
  }
}

export async function readRows(content: string | Uint8Array, reading: Reading = {}): Promise<PlainRow[]> {
  return (await readBatches(content, reading)).flatMap(plainRows);
}

/** Returns the column names and types of each batch, such as `a: Int64, b: List<Utf8>`. */
export async function readTypes(content: string | Uint8Array, reading: Reading = {}): Promise<string[]> {
  const batches = await readBatches(content, reading);
  return batches.map(({ schema }) => schema.fields.map(({ name, type }) => `${name}: ${type}`).join(", "));
}

/** Returns the `TfxioError` that reading throws. Fails if reading succeeds or throws another error. */
export async function readError(content: string | Uint8Array, reading: Reading = {}): Promise<TfxioError> {
  try {
    await readBatches(content, reading);
  } catch (error) {
    if (isTfxioError(error)) return error;
    throw error;
  }
  throw new Error("reading did not fail");
}
