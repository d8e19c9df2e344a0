/** Largest offset that fits in Arrow's int32 offsets. */
export const MAX_OFFSET = 0x7fffffff;

/** Memory of length 0, shared by all columns that have not allocated any yet. */
export const noWords: Int32Array<ArrayBuffer> = new Int32Array(0);
/** Memory of length 0. @see {@link noWords} */
export const noBytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
/** A view of length 0. @see {@link noWords} */
export const noView: DataView<ArrayBuffer> = new DataView(noBytes.buffer);

/** Allocates memory. Returns null if the runtime cannot allocate it. The caller then reports that the batch is too large. */
export function allocate(byteLength: number): ArrayBuffer | null {
  try {
    return new ArrayBuffer(byteLength);
  } catch {
    return null;
  }
}

/** Returns the initial capacity for the next batch: one eighth more than the last batch used. */
export function withHeadroom(used: number): number {
  return used + (used >> 3);
}

/** Returns a view of the first `length` elements. If the array is longer than `2 * length + 64`, returns a copy instead. */
export function trimmed<T extends Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(
  array: T,
  length: number,
): T {
  const view = array.length > 2 * length + 64 ? array.slice(0, length) : array.subarray(0, length);
  return view as T;
}
