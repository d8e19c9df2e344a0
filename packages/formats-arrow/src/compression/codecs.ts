import type { Limits } from "@tfxio/format";

/** The name of a codec for message bodies. */
export type CompressedWith = "lz4" | "zstd";

/** Decompresses a buffer to exactly `numBytes` bytes. Any other length is an error. */
export type Decode = (bytes: Uint8Array, numBytes: number) => Uint8Array | Promise<Uint8Array>;
export type Encode = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export interface Codec {
  readonly decode: Decode;
  readonly encode: Encode;
}

/** Loaders of the codecs. */
export type Codecs = Readonly<Record<CompressedWith, () => Promise<Codec>>>;

/** Limits of a read, and its codecs. */
export interface ReadLimits extends Limits {
  readonly codecs: Codecs;
}
