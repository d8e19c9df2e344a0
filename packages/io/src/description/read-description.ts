import type { Limits } from "@tfxio/format";
import type { Json, StoreModule } from "@tfxio/wire";
import type { DataRequest } from "../reading/data-request.js";
import type { RowSample } from "../reading/row-sample.js";

/**
 * A read that another thread or process can repeat exactly. Plain JSON, except for Blobs of sources, which only threads of one
 * process can share.
 */
export interface ReadDescription {
  readonly version: 1;
  readonly format: {
    readonly id: string;
    /** See {@link Format.module}. Absent for a standard format, which needs no import. */
    readonly module?: string | undefined;
    readonly options?: Json | undefined;
    readonly limits?: Partial<Limits> | undefined;
  };
  readonly sources: readonly SourceDescription[];
  /** Stores of the sources, indexed by {@link SourceDescription.store}. */
  readonly stores: readonly StoreModule[];
  readonly request: RequestDescription;
  readonly representationGroup?: string | undefined;
}

/** The information needed to open a source again. */
export interface SourceDescription {
  readonly uri: string;
  /** A path or URL. Absent if the source is a Blob. */
  readonly origin?: string | undefined;
  /** Index into the Blobs sent along with the description. */
  readonly blob?: number | undefined;
  /** Index into {@link ReadDescription.stores}. */
  readonly store?: number | undefined;
  readonly byteLength?: number | undefined;
  /** Version that the source must still have; see {@link ByteSource.version}. */
  readonly version?: string | undefined;
}

/** A {@link DataRequest} as JSON: column paths as lists of steps, the schema as base64, the filter as text. */
export interface RequestDescription extends Omit<DataRequest, "columns" | "schema" | "filter" | "sample"> {
  readonly columns?: readonly (readonly string[])[] | undefined;
  readonly schema?: string | undefined;
  readonly filter?: string | undefined;
  readonly sample?: (Omit<RowSample, "by"> & { readonly by?: readonly string[] | undefined }) | undefined;
}
