import type { ByteTarget } from "../targets/byte-target.js";
import { SourceError } from "../errors.js";

/** The part of a browser's `FileSystemFileHandle` that writing needs, as file pickers and OPFS give it. */
export interface WritableFileHandle {
  readonly name: string;
  createWritable(): Promise<WritableFile>;
}

/** The part of a browser's `FileSystemWritableFileStream` that writing needs: the file changes when it is closed. */
export interface WritableFile {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** True for a browser's file handle. */
export function isWritableFileHandle(input: unknown): input is WritableFileHandle {
  if (typeof input !== "object" || input === null) return false;
  return typeof (input as Partial<WritableFileHandle>).createWritable === "function";
}

/**
 * A target over a browser's file handle, which writes to a temporary file until it is committed. `discard` after a
 * commit leaves the file: the browser cannot bring the old one back.
 * @throws {SourceError} `io-failed` (`file`), for example when the user has not allowed writing.
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

/** `bytes`, copied if their memory is shared, which a writable file refuses. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
