import { RecordError } from "@tfxio/wire/errors";

/** Returns the error for a broken connection, after which the rest of the data is lost. */
export function lostConnection(uri: string, byteOffset: number, cause: unknown): RecordError {
  const message = `${uri} ends too early: the connection was lost after ${byteOffset} bytes: ${String(cause)}`;
  return new RecordError("truncated-record", message, { uri, byteOffset, reason: "connection-lost", cause });
}
