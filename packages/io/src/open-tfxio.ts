import {
  createFormatRegistry,
  type Format,
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
import type { HostColumns } from "@tfxio/tensor-adapter";
import { ArgumentError, type ByteSource, openSources, SchemaError, type SourceInput } from "@tfxio/wire";
import { assertOpenOptions } from "./check-open-options.js";
import { sourceColumns } from "./projection.js";
import type { TfxioOptions } from "./open-options.js";
import { readerTfxio } from "./reader-tfxio.js";
import { standardFormats } from "./standard-formats.js";
import type { Tfxio } from "./tfxio.js";
import { createReadDescriber } from "./workers/describe-read.js";

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
  return formats.detect(sources[0] as ByteSource, { signal: options.signal });
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
