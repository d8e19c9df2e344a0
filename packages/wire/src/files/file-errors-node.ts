import { fileURLToPath } from "node:url";
import { aName, assertArgument, isTagged, rule } from "../checks/index.js";
import { ArgumentError, isTfxioError, SourceError, type TfxioError } from "../errors.js";

const aPath = rule("a path or a file: URL", (value) => aName.holds(value) || isTagged("URL")(value));

/** Converts a path or `file:` URL to a path. @throws {ArgumentError} `invalid-argument` if it cannot be converted. */
export function toFilePath(path: string | URL): string {
  assertArgument("file", path, aPath);
  if (typeof path === "string" && !/^file:/i.test(path)) return path;
  try {
    return fileURLToPath(path);
  } catch (cause) {
    const message = `${String(path)} must be a file: URL with a path on this system: ${String(cause)}`;
    throw new ArgumentError("invalid-argument", message, { argument: "file", cause });
  }
}

/** Converts an error of node:fs to an error of this project. Returns errors of this project unchanged. */
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

/** Returns the error for a directory where a file is needed. */
export function directoryError(uri: string): ArgumentError {
  const glob = JSON.stringify(`${uri.replace(/\/$/, "")}/*.tfrecord`);
  return new ArgumentError(
    "invalid-argument",
    `${uri} is a folder. Pass a file. To read the files in the folder, pass a glob such as ${glob}.`,
    { argument: "file", reason: "directory" },
  );
}

/** Returns the error for a pipe, socket or device that was opened as a source. */
export function onePassError(uri: string): SourceError {
  const call = `openTfxio(createReadStream(${JSON.stringify(uri)}))`;
  const message = `${uri} is a pipe, socket or device, which can be read only once. Open it as a stream: ${call}.`;
  return new SourceError("io-failed", message, { uri, reason: "file" });
}

/** Returns the error for a pipe, socket or device that was opened as a target. */
export function irregularError(uri: string): SourceError {
  return new SourceError("io-failed", `${uri} is not a regular file.`, { uri, reason: "file" });
}
