import { fileURLToPath } from "node:url";
import { aName, assertArgument, isTagged, rule } from "../checks/index.js";
import { ArgumentError, isTfxioError, SourceError, type TfxioError } from "../errors.js";

const aPath = rule("a path or a file: URL", (value) => aName.holds(value) || isTagged("URL")(value));

/** The path that a path or `file:` URL denotes. @throws {ArgumentError} `invalid-argument` for any other value. */
export function toFilePath(path: string | URL): string {
  assertArgument("file", path, aPath);
  return typeof path === "string" && !/^file:/i.test(path) ? path : fileURLToPath(path);
}

/** Converts an error of node:fs to a coded error. Returns coded errors unchanged. */
export function fileError(uri: string, cause: unknown): TfxioError {
  if (isTfxioError(cause)) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new SourceError("not-found", `${uri} does not exist.`, { uri, cause });
  }
  if (code === "EISDIR") return directoryError(uri);
  return new SourceError("io-failed", `${uri}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    uri,
    cause,
    reason: "file",
  });
}

/** The error for a directory in place of a file. */
export function directoryError(uri: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `${uri} is a directory; name a file, or a glob such as ${JSON.stringify(`${uri.replace(/\/$/, "")}/*.tfrecord`)}.`,
    { argument: "file", reason: "directory" },
  );
}

/** The error for reading a pipe, socket or device as a file. */
export function onePassError(uri: string): SourceError {
  const call = `openTfxio(createReadStream(${JSON.stringify(uri)}))`;
  const message = `${uri} is a pipe, socket or device, which can be read only once; open it as a stream: ${call}.`;
  return new SourceError("io-failed", message, { uri, reason: "file" });
}

/** The error for writing a pipe, socket or device as a file. */
export function irregularError(uri: string): SourceError {
  return new SourceError("io-failed", `${uri} is not a regular file.`, { uri, reason: "file" });
}
