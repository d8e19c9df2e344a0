import {
  createFormatRegistry,
  type Format,
  type FormatRegistry,
  type Limits,
  type Reader,
  type ReadPlan,
  type ReadRequest,
} from "@tfxio/format";
import {
  ColumnPath,
  getTensorRepresentationsFromSchema,
  inferTensorRepresentationsFromMixedSchema,
  type Schema,
  type TensorRepresentation,
} from "@tfxio/schema";
import type { AdapterFactory, HostColumns } from "@tfxio/tensor-adapter";
import { ArgumentError, type ByteSource, openSources, SchemaError, type SourceInput } from "@tfxio/wire";
import { assertOpenOptions } from "./check-open-options.js";
import { sourceColumns } from "./projection.js";
import { readerTfxio } from "./reader-tfxio.js";
import { standardFormats } from "./standard-formats.js";
import type { Tfxio } from "./tfxio.js";
import { createReadDescriber } from "./workers/describe-read.js";

/** Options of {@link openTfxio}. */
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

/**
 * Opens training data as a {@link Tfxio}: one or many files, globs, URLs, Blobs or bytes of one format.
 * Reads what finding the format (and inferring a schema) takes, and nothing more.
 * @throws {ArgumentError} `invalid-argument`, `unknown-format`; {@link SourceError} `not-found`, `io-failed`;
 * {@link SchemaError} when schema and data, or `columns`, do not agree; with `inferSchema` also what reading throws.
 * @see RFC 162, "TFXIO"
 */
export async function openTfxio<Columns extends HostColumns = HostColumns>(
  sources: SourceInput | readonly SourceInput[],
  options: TfxioOptions<Columns> = {},
): Promise<Tfxio<Columns>> {
  assertOpenOptions(options);
  const { schema, inferSchema, rawRecordColumn, signal } = options;
  const opened = await openSources(sources, { signal });
  const format = await chooseFormat(opened, options);
  const reader = await format.open(opened, {
    options: options.formatOptions ?? {},
    limits: options.limits,
    signal,
  });
  try {
    const columns = options.columns?.map((column) =>
      typeof column === "string" ? new ColumnPath([column]) : column,
    );
    const request = { columns, schema, inferSchema, rawRecordColumn };
    const plan = await reader.plan({ ...request, signal });
    const closing = new AbortController();
    return readerTfxio({
      reader: closingFirst(reader, closing, format.id),
      plan: () => Promise.resolve(plan),
      request: settled(request, plan),
      access: {
        describe: createReadDescriber({
          format,
          sources: opened,
          options: options.formatOptions,
          limits: options.limits,
        }),
        sources: opened,
        closing: closing.signal,
      },
      schema: plan.schema,
      arrowSchema: plan.arrowSchema,
      representations: () => representationsOf(plan.schema as Schema, options.representationGroup, columns),
      rawRecordColumn,
      adapter: options.adapter,
      originalTypeSpecs: undefined,
    });
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** The request that gives the same plan without inferring its schema again. */
function settled(request: ReadRequest, plan: ReadPlan): ReadRequest {
  const { inferSchema, ...rest } = request;
  return inferSchema === undefined ? rest : { ...rest, schema: plan.schema, unlisted: "error" };
}

/** The reader, which ends what worker threads read of it too. */
function closingFirst(reader: Reader, closing: AbortController, formatId: string): Reader {
  return {
    plan: (request) => reader.plan(request),
    close() {
      const message = `this reader of ${formatId} was closed`;
      closing.abort(new ArgumentError("invalid-argument", message, { reason: "reader-closed" }));
      return reader.close();
    },
  };
}

function chooseFormat(sources: readonly ByteSource[], options: TfxioOptions): Promise<Format> | Format {
  const formats = options.formats ?? createFormatRegistry(...standardFormats);
  if (typeof options.format === "object") return options.format;
  if (options.format !== undefined) return formats.get(options.format);
  return formats.detect(sources[0] as ByteSource);
}

/** Representations of the group, only those whose every source column is read. */
function representationsOf(
  schema: Schema,
  group: string | undefined,
  columns: readonly ColumnPath[] | undefined,
): ReadonlyMap<string, TensorRepresentation> {
  const representations =
    group === undefined
      ? inferTensorRepresentationsFromMixedSchema(schema)
      : getTensorRepresentationsFromSchema(schema, group);
  if (representations === undefined) {
    throw new SchemaError(
      "schema-invalid",
      `the schema has no group of tensor representations named "${group}"`,
      {
        reason: "unknown-group",
      },
    );
  }
  if (columns === undefined) return representations;
  const isRead = (path: ColumnPath): boolean =>
    columns.some((column) => column.steps.every((step, index) => path.steps[index] === step));
  return new Map(
    [...representations].filter(([name, representation]) =>
      sourceColumns(new Map([[name, representation]])).every(isRead),
    ),
  );
}
