import { SourceError } from "@tfxio/wire/errors";

/** Maximum length of a Unix socket's path in bytes: the size of `sun_path` in `sockaddr_un` without the terminating zero. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Checks that a path fits into a socket address. Node would truncate a longer path and use a different socket.
 * @throws {SourceError} `io-failed` with `reason` if the path is too long. Windows has no such limit.
 * @see unix(7)
 */
export function assertSocketPath(path: string, uri: string, reason: "connection" | "listen"): void {
  const numBytes = Buffer.byteLength(path);
  if (process.platform === "win32" || numBytes <= MAX_PATH_BYTES) return;
  const message = `${uri} has a path of ${numBytes} bytes, but the path of a socket must have at most ${MAX_PATH_BYTES}.`;
  throw new SourceError("io-failed", message, { uri, reason });
}
