import { ArgumentError } from "@tfxio/wire";
import type { AnyIterator } from "./caller-items.js";
import { describeValue } from "@tfxio/wire/checks";

/** Serialized records, one `Uint8Array` each. */
export type RecordIterable = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Records that can be read only once, or a function that returns a new iterable for each pass. */
export type RecordSource = RecordIterable | (() => RecordIterable);

/**
 * Returns true for a value that {@link openRecords} can open. Strings and bytes are rejected: they are iterable, but do not yield
 * records.
 */
export function isRecordSource(value: unknown): value is RecordSource {
  return typeof value === "function" || isRecordIterable(value);
}

/**
 * Limits an iterable to one pass. A second pass throws `invalid-argument` (`stream-consumed`). If `records` is a function,
 * returns it unchanged, because it can be called for every pass.
 */
export function onceOnly(records: RecordSource): RecordSource {
  if (typeof records === "function") return records;
  let isTaken = false;
  return () => {
    if (isTaken) {
      throw new ArgumentError(
        "invalid-argument",
        "The records can be read only once; for several passes, pass a function that returns a new iterable each time.",
        { argument: "records", reason: "stream-consumed" },
      );
    }
    isTaken = true;
    return records;
  };
}

/** @throws {ArgumentError} `invalid-argument` (`record-type`) when the function does not return an iterable of records. */
export function openRecords(source: RecordSource): AnyIterator<unknown> {
  const records: unknown = typeof source === "function" ? source() : source;
  if (!isRecordIterable(records)) {
    // An async function returns a promise. Handle its rejection: an unhandled rejection would end the process.
    if (records instanceof Promise) records.catch(() => {});
    throw new ArgumentError(
      "invalid-argument",
      `records must be a function that returns an iterable of records, found one that returns ${describeValue(records)}.`,
      { argument: "records", reason: "record-type" },
    );
  }
  return Symbol.asyncIterator in records ? records[Symbol.asyncIterator]() : records[Symbol.iterator]();
}

function isRecordIterable(value: unknown): value is RecordIterable {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}
