import { crc32 } from "node:zlib";
import type { Conversion, ConversionInput } from "./conversion.js";

/** Fingerprint of one array of a result. */
export interface ArrayDigest {
  readonly numBytes: number;
  /** CRC-32 of the array's bytes. */
  readonly crc: number;
}

/** A subject that is ready for one conversion. */
export interface PreparedConversion {
  /** Converts the batch `repeats` times. Resolves to the time in seconds. */
  run(repeats: number): Promise<number>;
  /**
   * Resolves to fingerprints of the result's arrays: int32 indices or splits first, if any, then the values. Resolves to
   * undefined for a subject that has no result and only shows the upper limit of speed.
   */
  digest(): Promise<readonly ArrayDigest[] | undefined>;
}

/** One way to convert a batch. */
export interface ConvertSubject {
  readonly name: string;
  /** Returns false for a conversion that the subject does not support. Absent if it supports all of them. */
  readonly does?: (conversion: Conversion) => boolean;
  prepare(
    conversion: Conversion,
    input: ConversionInput,
  ): Promise<PreparedConversion | { readonly absent: string }>;
}

/** Returns the fingerprint of each array. The arrays may have any dtype. */
export function digestOf(arrays: readonly ArrayBufferView[]): readonly ArrayDigest[] {
  return arrays.map(({ buffer, byteOffset, byteLength }) => ({
    numBytes: byteLength,
    crc: crc32(new Uint8Array(buffer, byteOffset, byteLength)),
  }));
}
