import type { ByteSource } from "./byte-source.js";
import type { ByteTarget } from "../targets/byte-target.js";
import type { Json } from "./position.js";

/** An object that a store lists. */
export interface StoreEntry {
  readonly uri: string;
  readonly byteLength?: number | undefined;
  /** See {@link ByteSource.version}. */
  readonly version?: string | undefined;
}

/** Instructions for a worker thread or another process to create the same store. They must not contain credentials. */
export interface StoreModule {
  /** URL of an ES module that exports `createStore(config: Json): ByteStore | Promise<ByteStore>`. */
  readonly module: string;
  readonly config: Json;
}

/**
 * Storage addressed by URI, such as an object store. Callers pass stores explicitly; there is no global registry. A store takes
 * precedence over the built-in handling of its schemes.
 */
export interface ByteStore {
  /** Schemes that this store handles, in lower case and with their colon, such as `"s3:"`. */
  readonly schemes: readonly string[];
  /** Opens the object with this exact URI. @throws {SourceError} `not-found`, `io-failed`. */
  open(uri: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<ByteSource>;
  /** Lists the objects that match a glob, in any order. Absent if the store accepts exact URIs only. */
  list?(pattern: string, options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<StoreEntry>;
  /** Creates a target for this URI. Absent if the store is read-only. */
  create?(uri: string): Promise<ByteTarget>;
  /** Removes the object with this exact URI. Absent if the store cannot remove objects. */
  remove?(uri: string): Promise<void>;
  /**
   * The module with which other threads and processes create this store. Absent if only the thread that created the store can
   * use it.
   */
  readonly worker?: StoreModule | undefined;
}
