import { maskCrc32c, typescriptKernels } from "../../src/kernels/index.js";

/**
 * Returns a TFRecord frame: the length, its masked checksum, the payload and its masked checksum. `length` may be wrong.
 */
export function frame(payload: Uint8Array, length: bigint = BigInt(payload.length)): Uint8Array {
  const bytes = new Uint8Array(payload.length + 16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, length, true);
  view.setUint32(8, maskCrc32c(typescriptKernels.crc32c(bytes, 0, 8)), true);
  bytes.set(payload, 12);
  view.setUint32(payload.length + 12, maskCrc32c(typescriptKernels.crc32c(payload)), true);
  return bytes;
}
