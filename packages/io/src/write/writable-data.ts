import type { Schema } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { describeValue, invalidArgument, unusableArgument } from "@tfxio/wire/checks";
import type { Tfxio } from "../tfxio.js";

/** Batches to write. */
export type WritableData = Tfxio | AsyncIterable<RecordBatch> | Iterable<RecordBatch>;

/** By its parts, as {@link assertBatch} goes by those of batches. */
export function isTfxio(data: WritableData): data is Tfxio {
  return typeof (data as Partial<Tfxio>).recordBatches === "function";
}

/** The schema of a TFXIO; undefined for other data, and where the TFXIO has none. */
export function schemaOf(data: WritableData): Schema | undefined {
  return isTfxio(data) ? ifKnown(() => data.schema()) : undefined;
}

/** The Arrow schema of a TFXIO's batches; undefined for other data, and where the TFXIO has no schema. */
export function arrowSchemaOf(data: WritableData): ArrowSchema | undefined {
  return isTfxio(data) ? ifKnown(() => data.arrowSchema()) : undefined;
}

function ifKnown<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    if (isTfxioError(error, "schema-required")) return undefined;
    throw error;
  }
}

/** @throws {ArgumentError} `invalid-argument` unless `data` is a TFXIO or can be iterated. */
export function assertWritableData(data: unknown): void {
  const {
    recordBatches,
    [Symbol.asyncIterator]: each,
    [Symbol.iterator]: all,
  } = Object(data) as Partial<Tfxio & AsyncIterable<unknown> & Iterable<unknown>>;
  if (typeof data !== "string" && [recordBatches, each, all].some((member) => typeof member === "function"))
    return;
  throw invalidArgument("data", "a TFXIO or an iterable of record batches", data);
}

/** By its parts: the class may be that of another install. @throws {ArgumentError} `invalid-argument` */
export function assertBatch(batch: unknown): void {
  const { numRows, schema } = Object(batch) as Partial<RecordBatch>;
  if (Number.isSafeInteger(numRows) && Array.isArray(schema?.fields)) return;
  throw unusableArgument("data", `must give record batches, found ${describeValue(batch)}`);
}
