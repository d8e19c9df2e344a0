import type { ByteTarget } from "./byte-target.js";
import { concatBytes } from "../concat-bytes.js";
import { ArgumentError } from "../errors.js";

/** A target in memory. Works in browsers too. */
export interface MemoryTarget extends ByteTarget {
  /** Returns a copy of all bytes. @throws {ArgumentError} `invalid-argument` (`not-committed`) before commit or after discard. */
  bytes(): Uint8Array;
  /**
   * Returns all bytes as a Blob, for a download or an upload.
   * @param type MIME type. Default: none.
   * @throws {ArgumentError} `invalid-argument` (`not-committed`) before commit or after discard.
   */
  blob(type?: string): Blob;
}

/** Creates a target in memory. @param uri Names the target in errors and summaries. Default `memory`. */
export function memoryTarget(uri = "memory"): MemoryTarget {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let isCommitted = false;
  const committed = (): readonly Uint8Array<ArrayBuffer>[] => {
    if (isCommitted) return parts;
    throw new ArgumentError("invalid-argument", `${uri}: the target is not committed, or was discarded.`, {
      argument: "target",
      reason: "not-committed",
    });
  };
  return {
    uri,
    async write(bytes) {
      parts.push(new Uint8Array(bytes));
    },
    async commit() {
      isCommitted = true;
    },
    async discard() {
      isCommitted = false;
      parts = [];
    },
    bytes() {
      const bytes = committed();
      return bytes.length === 1 ? new Uint8Array(bytes[0] as Uint8Array) : concatBytes(bytes);
    },
    blob: (type = "") => new Blob([...committed()], { type }),
  };
}
