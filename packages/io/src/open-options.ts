import type { Format, FormatRegistry, Limits } from "@tfxio/format";
import type { ColumnPath, Predicate, Schema } from "@tfxio/schema";
import type { AdapterFactory, HostColumns } from "@tfxio/tensor-adapter";
import type { ByteStore } from "@tfxio/wire";
import type { InferenceExtent } from "./reading/infer-schema.js";

/** Options of `openTfxio`. */
export interface TfxioOptions<Columns extends HostColumns = HostColumns, AnySchema extends Schema = Schema> {
  /** Types, order and representations of the data. Without it, batches describe themselves and have no tensors. */
  readonly schema?: AnySchema | undefined;
  /**
   * Without `schema`: infer one from the first batch, the first so many rows, or a full pass, and hold the data to it: a
   * column or type that drifts is `schema-mismatch`. `"full"` needs data that can be read twice.
   */
  readonly inferSchema?: InferenceExtent | undefined;
  /** What a column that `schema` lacks means: `"drop"` (default) or `"error"`. Needs `schema`. */
  readonly unlisted?: "drop" | "error" | undefined;
  /**
   * A format, or the id of one in `formats`. Default: found from the first source's name, then its first bytes; of TFRecord
   * files also from the first records, which are SequenceExamples if some have feature lists.
   */
  readonly format?: string | Format | undefined;
  /** Where formats are looked up. Default: the formats of this package's dependencies. */
  readonly formats?: FormatRegistry | undefined;
  /** Options of the format itself, such as TFRecord's `compression` or `verifyPayloadCrc`. */
  readonly formatOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Columns to read; a string is the name of a top-level column. Default: all. */
  readonly columns?: readonly (string | ColumnPath)[] | undefined;
  /**
   * Form of the columns. `"lists"` (default): each is a list of values, as for tf.Examples; columns of tables become
   * lists of one. `"stored"`: the types of the file.
   */
  readonly columnForm?: "lists" | "stored" | undefined;
  /**
   * How float64 columns of tables become float32 where `schema` says FLOAT: `"float32"` (default) refuses values that
   * would change, `"float32-lossy"` rounds them.
   */
  readonly float64?: "float32" | "float32-lossy" | undefined;
  /**
   * Rows to keep, as a predicate or its text: `age >= 18 and country in ("DE", "FR")`. Default: all. Its columns need not
   * be among `columns`. Where batches describe themselves, a column that one lacks is null in all its rows.
   */
  readonly filter?: Predicate | string | undefined;
  /** Ends a batch at about this many bytes. Default: 32 MiB, or as the format does. */
  readonly batchBytes?: number | undefined;
  /** Wanted size of the parts that files are cut into, where the format can cut them: a hint. Default: whole files. */
  readonly splitBytes?: number | undefined;
  /** Appends a column of this name with each row's serialized record. Only for formats of records. */
  readonly rawRecordColumn?: string | undefined;
  /** Appends an int64 column of this name: where each row lies in its file. Only for formats that know. */
  readonly rowPositionColumn?: string | undefined;
  /** Storage that URIs of sources may name, such as `s3://…`. Default none: paths, URLs, Blobs and bytes. */
  readonly stores?: readonly ByteStore[] | undefined;
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
