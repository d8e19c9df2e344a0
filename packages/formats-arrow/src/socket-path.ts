import { SourceError } from "@tfxio/wire/errors";

/** Bytes that the address of a Unix socket holds: `sun_path` of `sockaddr_un`, without its last byte, which ends it. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Throws where the system would cut the path of a Unix socket off, and so use another socket than the one that is named.
 * @throws {SourceError} `io-failed` with `reason`.
 * @see unix(7)
 */
export function assertSocketPath(path: string, uri: string, reason: "connection" | "listen"): void {
  const numBytes = Buffer.byteLength(path);
  if (process.platform === "win32" || numBytes <= MAX_PATH_BYTES) return;
  const message = `${uri} has a path of ${numBytes} bytes, but the path of a socket can have at most ${MAX_PATH_BYTES}.`;
  throw new SourceError("io-failed", message, { uri, reason });
}
