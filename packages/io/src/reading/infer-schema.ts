import { inferSchemaFromBatches, schemaFromArrow, sliceBatch } from "@tfxio/arrow-encoding";
import type { Format, Limits, Reader, ReadPlan } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { composePlan } from "./compose-plan.js";
import type { DataRequest } from "./data-request.js";
import { projectBatch } from "./project-batch.js";

/** Amount of data from which a schema is inferred: the first batch, all data, or the first `rows` rows. */
export type InferenceExtent = "first" | "full" | { readonly rows: number };

/** Opened data from which a schema is inferred. */
export interface InferableData {
  readonly format: Format;
  readonly reader: Reader;
  readonly limits: Partial<Limits> | undefined;
}

/**
 * Returns the request with a schema that is inferred from the data in list form. With the returned request, a column that the
 * inferred schema lacks is an error.
 * @throws {SchemaError} `schema-mismatch` (`wrong-kind`) when batches contradict each other; `schema-required` (`no-rows`) when
 *   there are no rows and the files declare no column types.
 * @throws {RecordError} `limit-exceeded` (`column-count`). Also throws whatever reading throws.
 */
export async function inferredRequest(
  { format, reader, limits }: InferableData,
  request: DataRequest,
  extent: InferenceExtent,
  signal: AbortSignal | undefined,
): Promise<DataRequest> {
  const all = { batchBytes: request.batchBytes, splitBytes: request.splitBytes };
  const plan = await composePlan(format, reader, all, { signal, isSample: true });
  let numRows = 0;
  const counted = async function* (): AsyncGenerator<RecordBatch, void, undefined> {
    for await (const batch of sample(plan, extent, signal)) {
      numRows += batch.numRows;
      yield batch;
    }
  };
  const inferred = await inferSchemaFromBatches(counted(), { maxColumns: limits?.maxColumns });
  const storedPlan = () => composePlan(format, reader, { ...all, columnForm: "stored" }, { signal });
  const schema = numRows === 0 ? schemaOfFiles(await storedPlan()) : inferred;
  if (schema === undefined) throw nothingToInferFrom(plan);
  return { ...request, schema, isInferred: true, unlisted: "error" };
}

/**
 * Returns the schema that the files declare even without rows, as Parquet and Arrow files do. Returns undefined if the files
 * declare no column types.
 */
function schemaOfFiles({ schema, arrowSchema }: ReadPlan): Schema | undefined {
  const known = schema ?? (arrowSchema && schemaFromArrow(arrowSchema));
  return known === undefined || known.feature.length === 0 ? undefined : known;
}

function nothingToInferFrom({ splits }: ReadPlan): SchemaError {
  const uris = [...new Set(splits.map(({ uri }) => uri))];
  const more = uris.length > 3 ? ` and ${uris.length - 3} more` : "";
  const problem = `A schema cannot be inferred: no rows were found in ${uris.slice(0, 3).join(", ")}${more}; pass a schema.`;
  return new SchemaError("schema-required", problem, { reason: "no-rows" });
}

async function* sample(
  plan: ReadPlan,
  extent: InferenceExtent,
  signal: AbortSignal | undefined,
): AsyncGenerator<RecordBatch, void, undefined> {
  let rowsLeft = typeof extent === "object" ? extent.rows : Number.POSITIVE_INFINITY;
  for (const split of plan.splits) {
    for await (const batch of plan.read(split, { signal })) {
      yield batch.numRows <= rowsLeft ? batch : firstRows(batch, rowsLeft);
      rowsLeft -= batch.numRows;
      if (extent === "first" || rowsLeft <= 0) return;
    }
  }
}

/** Returns the first `numRows` rows, without the columns that are null in all of these rows. */
function firstRows(batch: RecordBatch, numRows: number): RecordBatch {
  const rows = sliceBatch(batch, 0, numRows);
  const dropped = new Set(
    rows.schema.names.map(String).filter((_, index) => rows.data.children[index]?.nullCount === numRows),
  );
  return projectBatch(rows, { columns: undefined, kept: [], dropped });
}
