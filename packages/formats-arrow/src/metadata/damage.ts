import { RecordError } from "@tfxio/wire/errors";
import type { FlatPlace } from "../flatbuffer/flat-table.js";

/** Reasons of `corrupt-record`. Metadata that cannot be parsed is `malformed-payload` (`metadata`) instead. */
export type DamageReason = "array" | "dictionary" | "lz4" | "zstd" | "message" | "footer";

/** Returns the error for a message or a footer that contradicts itself, the schema or the length of its file. */
export function damaged(
  place: FlatPlace,
  problem: string,
  reason: DamageReason,
  cause?: unknown,
): RecordError {
  const { uri, byteOffset } = place;
  const found =
    reason === "footer"
      ? `${uri} is damaged at byte ${byteOffset}`
      : `The message at byte ${byteOffset} of ${uri} is damaged`;
  return new RecordError("corrupt-record", `${found}: ${problem}.`, { ...place, reason, cause });
}

/** Returns the error for bytes at which a message was expected. */
export function noMessage(place: FlatPlace): RecordError {
  const { uri, byteOffset } = place;
  const found = byteOffset === 0 ? "is not Arrow data, or is damaged" : "is damaged";
  const message = `${uri} ${found}: no Arrow message begins at byte ${byteOffset}.`;
  return new RecordError("corrupt-record", message, { ...place, reason: "message" });
}

/** Returns the error for a source that ends too early. */
export function truncated(
  place: FlatPlace,
  problem: string,
  reason: "message" | "end-marker" | "footer",
): RecordError {
  return new RecordError("truncated-record", `${place.uri} ends too early: ${problem}.`, {
    ...place,
    reason,
  });
}

/** The part of a source whose size is checked. */
interface SizedPart {
  readonly place: FlatPlace;
  readonly what: string;
  readonly reason: "metadata-length" | "page-length";
  /** Follows "the limit" in the message. Default: the name of the limit for the reason, `maxMetadataBytes` or `maxPageBytes`. */
  readonly limitName?: string;
}

/**
 * Checks the size of a part of a source, either as stored or as expanded in memory.
 * @throws {RecordError} `limit-exceeded` (`metadata-length`, `page-length`) if the size exceeds the limit.
 */
export function assertWithin(
  numBytes: number,
  limit: number,
  { place, what, reason, limitName }: SizedPart,
): void {
  if (numBytes <= limit) return;
  const name = limitName ?? (reason === "metadata-length" ? "maxMetadataBytes" : "maxPageBytes");
  throw new RecordError(
    "limit-exceeded",
    `At byte ${place.byteOffset} of ${place.uri}, ${what} has ${numBytes} bytes, but the limit ${name} is ${limit}.`,
    { ...place, reason },
  );
}
