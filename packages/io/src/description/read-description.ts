import type { Limits } from "@tfxio/format";
import type { Json, StoreModule } from "@tfxio/wire";
import type { DataRequest } from "../reading/data-request.js";
import type { RowSample } from "../reading/row-sample.js";

/**
 * A read that another thread or process repeats exactly. Plain JSON, apart from Blobs of sources, which only threads of
 * one process can share.
 */
export interface ReadDescription {
  readonly version: 1;
  readonly format: {
    readonly id: string;
    /** See {@link Format.module}; absent for a standard format, which everybody has. */
    readonly module?: string | undefined;
    readonly options?: Json | undefined;
    readonly limits?: Partial<Limits> | undefined;
  };
  readonly sources: readonly SourceDescription[];
  /** Stores that sources come from. */
  readonly stores: readonly StoreModule[];
  readonly request: RequestDescription;
  readonly representationGroup?: string | undefined;
}

/** What a source is opened from. */
export interface SourceDescription {
  readonly uri: string;
  /** A path or URL; absent where a Blob takes its place. */
  readonly origin?: string | undefined;
  /** Position among the Blobs that are sent beside the description. */
  readonly blob?: number | undefined;
  /** Position in {@link ReadDescription.stores}. */
  readonly store?: number | undefined;
  readonly byteLength?: number | undefined;
  /** What the source must still be; see {@link ByteSource.version}. */
  readonly version?: string | undefined;
}

/** A {@link DataRequest} as JSON: paths by their steps, the schema in base64, the filter as text. */
export interface RequestDescription extends Omit<DataRequest, "columns" | "schema" | "filter" | "sample"> {
  readonly columns?: readonly (readonly string[])[] | undefined;
  readonly schema?: string | undefined;
  readonly filter?: string | undefined;
  readonly sample?: (Omit<RowSample, "by"> & { readonly by?: readonly string[] | undefined }) | undefined;
}
