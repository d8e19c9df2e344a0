import type { ByteSource } from "./byte-source.js";
import type { ByteTarget } from "../targets/byte-target.js";
import type { Json } from "./position.js";

/** What a store knows about an object before it is opened. */
export interface StoreEntry {
  readonly uri: string;
  readonly byteLength?: number | undefined;
  /** See {@link ByteSource.version}. */
  readonly version?: string | undefined;
}

/** How a worker thread or another process builds the same store. Never holds credentials. */
export interface StoreModule {
  /** URL of an ES module that exports `createStore(config: Json): ByteStore | Promise<ByteStore>`. */
  readonly module: string;
  readonly config: Json;
}

/**
 * Storage that is reached by URI, such as an object store. Callers hand stores in; none is ever registered globally.
 * A store that handles a scheme takes precedence over the built-in handling of that scheme.
 */
export interface ByteStore {
  /** Schemes with their colon, lower case: `"s3:"`. */
  readonly schemes: readonly string[];
  /** @throws {SourceError} `not-found`, `io-failed`. */
  open(uri: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<ByteSource>;
  /** Objects that match a glob, in any order. Absent: the store takes exact URIs only. */
  list?(pattern: string, options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<StoreEntry>;
  /** Absent: the store cannot be written. */
  create?(uri: string): Promise<ByteTarget>;
  remove?(uri: string): Promise<void>;
  /** Absent: only the thread that holds the store can read from it. */
  readonly worker?: StoreModule | undefined;
}
