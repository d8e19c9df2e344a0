import { RecordError } from "@tfxio/wire/errors";

/** Returns the error for a connection that broke after `byteOffset` bytes. */
export function lostConnection(uri: string, byteOffset: number, cause: unknown): RecordError {
  const message = `${uri} ends too early: the connection was lost after ${byteOffset} bytes: ${String(cause)}`;
  return new RecordError("truncated-record", message, { uri, byteOffset, reason: "connection-lost", cause });
}
