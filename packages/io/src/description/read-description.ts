import type { Limits } from "@tfxio/format";
import type { Json, StoreModule } from "@tfxio/wire";
import type { DataRequest } from "../reading/data-request.js";
import type { RowSample } from "../reading/row-sample.js";

/**
 * A description, as plain JSON, of a read that another thread or process can repeat exactly. It does not include the Blobs of
 * in-memory sources. These are sent separately, and only between threads of one process.
 */
export interface ReadDescription {
  readonly version: 1;
  readonly format: {
    readonly id: string;
    /**
     * URL of the module that exports the format; see {@link Format.module}. Absent for a standard format, which needs no import.
     */
    readonly module?: string | undefined;
    readonly options?: Json | undefined;
    readonly limits?: Partial<Limits> | undefined;
  };
  readonly sources: readonly SourceDescription[];
  /** Stores of the sources, indexed by {@link SourceDescription.store}. */
  readonly stores: readonly StoreModule[];
  readonly request: RequestDescription;
  /** See {@link TfxioOptions.representationGroup}. */
  readonly representationGroup?: string | undefined;
}

/** The information needed to open a source in another thread or process. */
export interface SourceDescription {
  readonly uri: string;
  /** A path, a URL, or a URI that a store opens. Absent if the source is a Blob or bytes. */
  readonly origin?: string | undefined;
  /** Index into the Blobs that are sent along with the description. Absent unless the source is a Blob or bytes. */
  readonly blob?: number | undefined;
  /** Index into {@link ReadDescription.stores}. Absent if the source is in no store. */
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
