import type { RecordError } from "../errors.js";

/** What `#zlib` inflates and deflates: gzip (RFC 1952) and zlib (RFC 1950). */
export type ZlibFormat = "gzip" | "zlib";

/** How to deflate. */
export interface DeflateOptions {
  /** 0 (store) to 9 (smallest); zlib's default, 6, when absent. Node only. */
  readonly level?: number | undefined;
}

/** Makes the error for compressed bytes that cannot be inflated. */
export type DamageReport = (damage: "truncated" | "corrupt" | "trailing", cause?: unknown) => RecordError;
