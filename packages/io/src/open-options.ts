import type { Format, FormatRegistry, Limits, ReadRequest } from "@tfxio/format";
import type { ColumnPath, Schema } from "@tfxio/schema";
import type { AdapterFactory, HostColumns } from "@tfxio/tensor-adapter";

/** Options of `openTfxio`. */
export interface TfxioOptions<Columns extends HostColumns = HostColumns> {
  /** Types, order and representations of the data. Without it, batches describe themselves and have no tensors. */
  readonly schema?: Schema | undefined;
  /** Without `schema`: infer one from the first batch, the first so many rows, or a full pass, and hold the data to it. */
  readonly inferSchema?: ReadRequest["inferSchema"];
  /** A format, or the id of one in `formats`. Default: found from the first source's name, then its first bytes. */
  readonly format?: string | Format | undefined;
  /** Where formats are looked up. Default: the formats of this package's dependencies. */
  readonly formats?: FormatRegistry | undefined;
  /** Options of the format itself, such as TFRecord's `compression` or `verifyPayloadCrc`. */
  readonly formatOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Columns to read; a string is the name of a top-level column. Default: all. */
  readonly columns?: readonly (string | ColumnPath)[] | undefined;
  /** Appends a column of this name with each row's serialized record. */
  readonly rawRecordColumn?: string | undefined;
  /**
   * Group of the schema's tensor representations. Default: the group "", completed by inferred representations for
   * features that it leaves out. A named group is taken as it stands.
   */
  readonly representationGroup?: string | undefined;
  /**
   * Makes the adapter, when it is first needed. Default: one of the representations alone. `typedTensors(schema)` makes one
   * whose tensors the compiler knows; `(config) => new TensorAdapter({ ...config, handlers })` adds tensors of your own.
   */
  readonly adapter?: AdapterFactory<Columns> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Cancels opening, schema inference included; reading has signals of its own. */
  readonly signal?: AbortSignal | undefined;
}
