import type { Limits } from "@tfxio/format";

/** A codec of the buffers of a body. */
export type CompressedWith = "lz4" | "zstd";

/** Decompresses a buffer that holds `numBytes` bytes; another number is an error. */
export type Decode = (bytes: Uint8Array, numBytes: number) => Uint8Array | Promise<Uint8Array>;
export type Encode = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** Both ways of a codec. */
export interface Codec {
  readonly decode: Decode;
  readonly encode: Encode;
}

/** Where each codec comes from: loaded with the first buffer that needs it, or at hand. */
export type Codecs = Readonly<Record<CompressedWith, () => Promise<Codec>>>;

/** Bounds of a read, and the codecs that decompress within them. */
export interface ReadLimits extends Limits {
  readonly codecs: Codecs;
}
