import type { ByteTarget } from "./byte-target.js";

/** A target that counts the bytes written to it. */
export interface CountingTarget extends ByteTarget {
  /** Total bytes of all successful writes. */
  readonly numBytes: number;
}

/** Wraps `target` and counts the bytes written through the wrapper. */
export function countingTarget(target: ByteTarget): CountingTarget {
  let numBytes = 0;
  return {
    uri: target.uri,
    get numBytes() {
      return numBytes;
    },
    async write(bytes) {
      const { length } = bytes;
      await target.write(bytes);
      numBytes += length;
    },
    commit: () => target.commit(),
    ...(target.commitAs && { commitAs: (uri: string) => target.commitAs!(uri) }),
    discard: () => target.discard(),
  };
}
