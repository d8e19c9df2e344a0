import { SourceError } from "@tfxio/wire/errors";

/** Maximum length of a Unix socket's path in bytes: `sun_path` of `sockaddr_un` without the terminating zero. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Rejects a path that is too long for a socket address. The system would truncate it and use another socket.
 * @throws {SourceError} `io-failed` with `reason`.
 * @see unix(7)
 */
export function assertSocketPath(path: string, uri: string, reason: "connection" | "listen"): void {
  const numBytes = Buffer.byteLength(path);
  if (process.platform === "win32" || numBytes <= MAX_PATH_BYTES) return;
  const message = `${uri} has a path of ${numBytes} bytes, but the path of a socket can have at most ${MAX_PATH_BYTES}.`;
  throw new SourceError("io-failed", message, { uri, reason });
}
