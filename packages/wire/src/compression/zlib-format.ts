import type { RecordError } from "../errors.js";

/** Formats that the import `#zlib` inflates and deflates: gzip (RFC 1952) and zlib (RFC 1950). */
export type ZlibFormat = "gzip" | "zlib";

/** Options of compression. */
export interface DeflateOptions {
  /** 0 (store) to 9 (smallest). Default 6, as in zlib. Node only. */
  readonly level?: number | undefined;
}

/** Creates the error for compressed bytes that cannot be inflated. `cause` is the decompressor's error, if it raised one. */
export type DamageReport = (damage: "truncated" | "corrupt" | "trailing", cause?: unknown) => RecordError;
