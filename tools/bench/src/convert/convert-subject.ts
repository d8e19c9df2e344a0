import { crc32 } from "node:zlib";
import type { Conversion, ConversionInput } from "./conversion.js";

/** Fingerprint of one array of a result. */
export interface ArrayDigest {
  readonly numBytes: number;
  readonly crc: number;
}

/** A subject that is ready for one conversion. */
export interface PreparedConversion {
  /** Converts the batch `repeats` times. Resolves to seconds. */
  run(repeats: number): Promise<number>;
  /**
   * Arrays of the result: int32 indices or splits first, if it has them, then the values. Undefined for a subject
   * that only shows the upper limit.
   */
  digest(): Promise<readonly ArrayDigest[] | undefined>;
}

/** One way to convert a batch. */
export interface ConvertSubject {
  readonly name: string;
  /** False if the subject has no equivalent. Absent: it supports all conversions. */
  readonly does?: (conversion: Conversion) => boolean;
  prepare(
    conversion: Conversion,
    input: ConversionInput,
  ): Promise<PreparedConversion | { readonly absent: string }>;
}

/** Fingerprints `arrays`, whatever their dtype. */
export function digestOf(arrays: readonly ArrayBufferView[]): readonly ArrayDigest[] {
  return arrays.map(({ buffer, byteOffset, byteLength }) => ({
    numBytes: byteLength,
    crc: crc32(new Uint8Array(buffer, byteOffset, byteLength)),
  }));
}
