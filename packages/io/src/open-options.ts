import type { Format, FormatRegistry, Limits } from "@tfxio/format";
import type { ColumnPath, Predicate, Schema } from "@tfxio/schema";
import type { AdapterFactory, HostColumns } from "@tfxio/tensor-adapter";
import type { ByteStore } from "@tfxio/wire";
import type { InferenceExtent } from "./reading/infer-schema.js";

/** Options of `openTfxio`. */
export interface TfxioOptions<Columns extends HostColumns = HostColumns, AnySchema extends Schema = Schema> {
  /**
   * Types, order and tensor representations of the features. If neither this option, `inferSchema` nor the format provides a
   * schema, batches may have different Arrow schemas, and there are no tensors.
   */
  readonly schema?: AnySchema | undefined;
  /**
   * Infers a schema from the first batch (`"first"`), the first n rows (`{ rows: n }`), or a full pass (`"full"`). Cannot be
   * combined with `schema`. Reading then enforces the inferred schema: an unexpected column or type throws `schema-mismatch`.
   * `"full"` needs data that can be read twice.
   */
  readonly inferSchema?: InferenceExtent | undefined;
  /**
   * Treatment of columns that `schema` lacks: `"drop"` (default) or `"error"`. A column without any value is never an error. With
   * `inferSchema`, the default is `"error"`, and `"drop"` is rejected. Requires `schema` or `inferSchema`.
   */
  readonly unlisted?: "drop" | "error" | undefined;
  /**
   * A format, or the id of one in `formats`. Default: detected from the first source's name, or else from its first bytes. If the
   * name does not decide and the source is empty, the next source decides. Detected TFRecord files are read as SequenceExamples
   * if one of the first records has feature lists.
   */
  readonly format?: string | Format | undefined;
  /** Formats that `format` and detection choose from. Default: {@link standardFormats}. */
  readonly formats?: FormatRegistry | undefined;
  /** Options of the format, such as TFRecord's `compression` or `verifyPayloadCrc`. */
  readonly formatOptions?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Columns to read; a string is the name of a top-level column. Default: all. A column that does not exist is an error if the
   * columns are known: from a schema, from `inferSchema`, or from a file that declares them. Without a schema, the columns are
   * not known if the input is JSON Lines or TFRecord, or more than one Arrow, Avro or Parquet file. In these cases, a misspelled
   * column is missing from the rows.
   */
  readonly columns?: readonly (string | ColumnPath)[] | undefined;
  /**
   * Form of the columns. `"lists"` (default): every column is a list of values, as for tf.Examples, so table columns with one
   * value per row become lists of one value. `"stored"`: the types in the file.
   */
  readonly columnForm?: "lists" | "stored" | undefined;
  /**
   * Conversion of float64 table columns to float32 where `schema` has the type FLOAT. `"float32"` (default) rejects values that
   * float32 cannot hold exactly; `"float32-lossy"` rounds them.
   */
  readonly float64?: "float32" | "float32-lossy" | undefined;
  /**
   * Rows to keep, as a predicate or its text: `age >= 18 and country in ("DE", "FR")`. Default: all. The predicate may use
   * columns that are not in `columns`. If the columns are not known, as explained at `columns`, a column that is missing from a
   * batch counts as null in every row of that batch. So a filter on a misspelled column usually keeps no rows. To get an error
   * instead, pass a schema or `inferSchema`.
   */
  readonly filter?: Predicate | string | undefined;
  /** Approximate maximum size of a batch in bytes. Default: 32 MiB, but no limit for Arrow and Parquet files. */
  readonly batchBytes?: number | undefined;
  /**
   * Target size in bytes of the parts that files are divided into, if the format can divide them. The actual sizes may differ.
   * Default: files are not divided.
   */
  readonly splitBytes?: number | undefined;
  /** Appends a column with this name that holds each row's serialized record. Only record formats support it. */
  readonly rawRecordColumn?: string | undefined;
  /**
   * Appends an int64 column with this name that holds each row's position in its file. Depending on the format, a position is a
   * row number or a byte offset. Not all formats support it.
   */
  readonly rowPositionColumn?: string | undefined;
  /** Stores that open URIs such as `s3://…`. Default: none, so URLs must begin with `file:`, `http:` or `https:`. */
  readonly stores?: readonly ByteStore[] | undefined;
  /**
   * Group of the schema's tensor representations. Default: the group "", plus inferred representations for features that this
   * group omits. A named group is used unchanged.
   */
  readonly representationGroup?: string | undefined;
  /**
   * Creates the adapter when it is first needed. Default: a plain adapter for the representations. `typedTensors(schema)`
   * makes the tensors typed; `(config) => new TensorAdapter({ ...config, handlers })` adds custom tensors.
   */
  readonly adapter?: AdapterFactory<Columns> | undefined;
  /** Limits that differ from the default limits. */
  readonly limits?: Partial<Limits> | undefined;
  /** Cancels opening, including schema inference. Reading methods take their own signals. */
  readonly signal?: AbortSignal | undefined;
}
