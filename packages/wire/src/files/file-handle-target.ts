import type { ByteTarget } from "../targets/byte-target.js";
import { SourceError } from "../errors.js";

/** The writing part of a browser's `FileSystemFileHandle`, as file pickers and OPFS return it. */
export interface WritableFileHandle {
  readonly name: string;
  createWritable(): Promise<WritableFile>;
}

/** The writing part of a browser's `FileSystemWritableFileStream`. The file changes when the stream is closed. */
export interface WritableFile {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** Returns true if `input` has the method `createWritable` of a browser's file handle. */
export function isWritableFileHandle(input: unknown): input is WritableFileHandle {
  if (typeof input !== "object" || input === null) return false;
  return typeof (input as Partial<WritableFileHandle>).createWritable === "function";
}

/**
 * Creates a target that writes to a browser's file handle. The browser writes to a temporary file until the target is committed.
 * `discard` after a commit keeps the new file, because browsers cannot restore the old one.
 * @throws {SourceError} `io-failed` (`file`), for example if the user denies write access.
 */
export async function fileHandleTarget(handle: WritableFileHandle): Promise<ByteTarget> {
  const uri = handle.name;
  const fail = (cause: unknown): never => {
    throw new SourceError("io-failed", `${uri} cannot be written: ${String(cause)}`, {
      uri,
      cause,
      reason: "file",
    });
  };
  const file = await handle.createWritable().catch(fail);
  return {
    uri,
    write: (bytes) => file.write(unshared(bytes)).catch(fail),
    commit: () => file.close().catch(fail),
    discard: () => file.abort().catch(() => {}),
  };
}

/** Returns `bytes`, or a copy if they are in shared memory, which browsers refuse to write. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
