import type { ByteTarget } from "./byte-target.js";

/** A target that knows how much was written to it. */
export interface CountingTarget extends ByteTarget {
  /** Bytes of all writes that have succeeded. */
  readonly numBytes: number;
}

/** `target`, with a count of the bytes that are written through this one. */
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
