import type { Reader, ReadPlan } from "@tfxio/format";
import {
  type ColumnPath,
  getSourceColumns,
  getTensorRepresentationsFromSchema,
  inferTensorRepresentationsFromMixedSchema,
  type Schema,
  type TensorRepresentation,
} from "@tfxio/schema";
import type { AdapterFactory, HostColumns } from "@tfxio/tensor-adapter";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { describeAsJson, describeData, type OpenedData } from "./description/describe-data.js";
import { fingerprintOf } from "./description/fingerprint.js";
import { once } from "./once.js";
import { createPathFilter } from "./projection.js";
import { composePlan } from "./reading/compose-plan.js";
import type { DataRequest } from "./reading/data-request.js";
import { createRowOpener } from "./reading/create-row-opener.js";
import { type InferenceExtent, inferredRequest } from "./reading/infer-schema.js";
import { type DataSource, readerTfxio } from "./reader-tfxio.js";
import { type PlannedRead, RowCount } from "./record-batches.js";
import type { Tfxio } from "./tfxio.js";

/** Opened data, and the reader that the format opened for it. */
export interface OpenedReader {
  readonly opened: OpenedData;
  readonly reader: Reader;
}

/** Settings of a TFXIO in addition to its data and request. */
export interface TfxioSettings<Columns extends HostColumns> {
  readonly inferSchema?: InferenceExtent | undefined;
  readonly adapter?: AdapterFactory<Columns> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns a TFXIO that reads the requested part of opened data. Closes the reader if planning or schema inference fails. */
export async function tfxioOf<Columns extends HostColumns>(
  { opened, reader }: OpenedReader,
  request: DataRequest,
  { inferSchema, adapter, signal }: TfxioSettings<Columns>,
): Promise<Tfxio<Columns>> {
  const { format, representationGroup } = opened;
  const closing = new AbortController();
  const close = (): Promise<void> => {
    const message = `This reader of ${format.id} was closed.`;
    closing.abort(new ArgumentError("invalid-argument", message, { reason: "reader-closed" }));
    return reader.close();
  };
  const openOnly =
    (read: () => Promise<ReadPlan>): (() => Promise<ReadPlan>) =>
    async () => {
      closing.signal.throwIfAborted();
      return read();
    };
  try {
    const settled =
      inferSchema === undefined
        ? request
        : await inferredRequest({ format, reader, limits: opened.limits }, request, inferSchema, signal);
    const plan = await composePlan(format, reader, settled, { signal });
    const schema = settled.schema ?? plan.schema;
    // A stream, the caller's records or a dataset may yield different rows in every pass.
    const isSameAgain =
      opened.callerData === undefined && opened.sources.every(({ byteLength }) => byteLength !== undefined);
    const rowCount = new RowCount(rowsOfPlan(plan, settled), isSameAgain);
    const source: DataSource = {
      hasRowPositions: format.reads.rowPositionColumn === true,
      plan: (other): PlannedRead => ({
        plan: openOnly(
          other === settled ? () => Promise.resolve(plan) : once(() => composePlan(format, reader, other)),
        ),
        formatShuffles: format.reads.shuffle === true,
        splitBytes: other.splitBytes,
        fingerprint: fingerprintOf(opened.sources, other),
        rowCount: other.sample === undefined ? rowCount : new RowCount(undefined, isSameAgain),
        openAllRows: createRowOpener(format, other, {
          isSameAgain,
          plan: openOnly(() => composePlan(format, reader, { ...other, splitBytes: undefined })),
          closing: closing.signal,
        }),
        access: {
          describe: () => describeData(opened, other),
          sources: opened.sources,
          closing: closing.signal,
        },
      }),
      origins: opened.sources.flatMap(({ origin }) => (typeof origin === "string" ? [origin] : [])),
      describe: (other) => describeAsJson(opened, other),
      callerData: opened.callerData,
      close,
    };
    return readerTfxio({
      source,
      request: settled,
      planned: source.plan(settled),
      schema,
      arrowSchema: plan.arrowSchema,
      representations: () => representationsOf(schema as Schema, representationGroup, settled.columns),
      adapter,
      originalTypeSpecs: undefined,
    });
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/**
 * Returns the number of rows in one pass. Returns undefined if a split does not state its number of rows, or if a filter or
 * sample may drop rows.
 */
function rowsOfPlan({ splits }: ReadPlan, { filter, sample }: DataRequest): number | undefined {
  if (filter !== undefined || sample !== undefined) return undefined;
  let total = 0;
  for (const { numRows } of splits) {
    if (numRows === undefined) return undefined;
    total += numRows;
  }
  return total;
}

/**
 * Returns the tensor representations of a schema, or of one of its groups. Leaves out tensors for which a source column is not
 * read.
 * @throws {SchemaError} `schema-invalid` (`unknown-group`).
 */
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
    throw new SchemaError("schema-invalid", `The schema has no tensor representation group "${group}".`, {
      reason: "unknown-group",
    });
  }
  if (columns === undefined) return representations;
  const isRead = createPathFilter(columns);
  return new Map(
    [...representations].filter(([, representation]) => getSourceColumns(representation).every(isRead)),
  );
}
