import { RecordError } from "@tfxio/wire/errors";

/** The error for a connection that broke: what the peer still had to send is lost. */
export function lostConnection(uri: string, byteOffset: number, cause: unknown): RecordError {
  const message = `${uri} ends too early: the connection was lost after ${byteOffset} bytes: ${String(cause)}`;
  return new RecordError("truncated-record", message, { uri, byteOffset, reason: "connection-lost", cause });
}
