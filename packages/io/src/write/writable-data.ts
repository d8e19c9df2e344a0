import type { Schema } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { describeValue, invalidArgument, unusableArgument } from "@tfxio/wire/checks";
import type { Tfxio } from "../tfxio.js";

/** Data that can be written: a TFXIO, or record batches. */
export type WritableData = Tfxio | AsyncIterable<RecordBatch> | Iterable<RecordBatch>;

/**
 * Returns true for a TFXIO. Checks for one of its methods, because an `instanceof` check would fail for a TFXIO from another
 * install of this package.
 */
export function isTfxio(data: WritableData): data is Tfxio {
  return typeof (data as Partial<Tfxio>).recordBatches === "function";
}

/** Returns the TFMD schema of a TFXIO. Returns undefined for a TFXIO without a schema, and for batches. */
export function schemaOf(data: WritableData): Schema | undefined {
  return isTfxio(data) ? ifKnown(() => data.schema()) : undefined;
}

/** Returns the Arrow schema of a TFXIO's batches. Returns undefined for a TFXIO without a schema, and for batches. */
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

/** @throws {ArgumentError} `invalid-argument` unless `data` is a TFXIO or an iterable other than text. */
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

/**
 * Checks that `batch` has the members of a record batch. Does not check its class, because the batch may come from another
 * install of apache-arrow.
 * @throws {ArgumentError} `invalid-argument`.
 */
export function assertBatch(batch: unknown): void {
  const { numRows, schema, data } = Object(batch) as Partial<RecordBatch>;
  if (Number.isSafeInteger(numRows) && Array.isArray(schema?.fields) && Array.isArray(data?.children)) return;
  throw unusableArgument("data", `must yield record batches, found ${describeValue(batch)}`);
}
