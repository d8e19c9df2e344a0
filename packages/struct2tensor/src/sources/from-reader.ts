import { isListType } from "@tfxio/arrow-encoding";
import type { Reader } from "@tfxio/format";
import { ColumnPath, type Schema } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { type DataType, type Field, Struct } from "apache-arrow";
import {
  aFunction,
  aPositiveInteger,
  anAbortSignal,
  assertArgument,
  assertOptions,
  membersOf,
  rule,
} from "@tfxio/wire/checks";
import type { AnyExpression, Expression } from "../expression/expression.js";
import { createQueryPlan } from "../plan/create-query-plan.js";
import type { QueryResult } from "../plan/query-plan.js";
import { batchPlaceholder } from "./from-prensor.js";
import { deepestPaths, type Path } from "../path/path.js";

/** Name of the source of {@link fromReader}. */
const SOURCE = "batch";

const aReader = rule("a reader that a format opened, not a promise of a reader", (value) =>
  aFunction.holds(membersOf(value)["plan"]),
);

/** Options of {@link fromReader}. */
export interface FromReaderOptions {
  /** The schema of the columns. Required for formats without type information, such as JSON Lines. */
  readonly schema?: Schema | undefined;
}

/** Options of {@link calculateBatches}. */
export interface CalculateBatchesOptions extends FromReaderOptions {
  /** Rows per batch. Default 4096. */
  readonly batchSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates an expression over the columns of files that a format has opened, such as Parquet, JSON Lines, Avro or Arrow. This only
 * plans the read. To read, pass the expression to {@link calculateBatches}.
 * @throws {SchemaError} `schema-required` if no schema is given and the format reveals its columns only in the batches.
 * @see struct2tensor `parquet.create_expression_from_parquet_file`
 */
export async function fromReader(reader: Reader, options: FromReaderOptions = {}): Promise<Expression> {
  assertArgument("reader", reader, aReader);
  assertOptions("fromReader", options, { schema: null });
  const { arrowSchema } = await reader.plan(options);
  if (arrowSchema !== undefined) return batchPlaceholder(arrowSchema, SOURCE);
  throw new SchemaError(
    "schema-required",
    "This reader reveals its columns only in its batches. Pass a schema, so that a query knows the columns in advance.",
  );
}

/**
 * Runs expressions of {@link fromReader} over the files of the reader, and yields one result per batch. Reads only the columns,
 * and the leaves of structs, that the query needs. Pass the same schema that you passed to {@link fromReader}. All expressions
 * must be built from the result of one call of {@link fromReader}.
 * @throws {ArgumentError} `invalid-argument` (`source-name`) for expressions from several calls of {@link fromReader}. Also
 *   throws the errors of {@link createQueryPlan}, {@link QueryPlan.calculate} and the reader.
 * @see struct2tensor `parquet.calculate_parquet_values`
 */
export async function* calculateBatches(
  reader: Reader,
  expressions: readonly AnyExpression[],
  options: CalculateBatchesOptions = {},
): AsyncGenerator<QueryResult> {
  assertArgument("reader", reader, aReader);
  assertOptions("calculateBatches", options, {
    batchSize: aPositiveInteger,
    schema: null,
    signal: anAbortSignal,
  });
  const { batchSize, schema, signal } = options;
  const plan = await createQueryPlan(expressions);
  const arrowSchema = plan.nodes.find(({ node }) => node.source !== undefined)?.node.source?.arrowSchema;
  const columns = columnsOf(plan.sourcePaths[SOURCE] ?? [], arrowSchema?.fields ?? []);
  const reading = await reader.plan({ columns, batchSize, schema, signal });
  for (const split of reading.splits) {
    for await (const batch of reading.read(split, { signal })) yield plan.calculate({ [SOURCE]: batch });
  }
}

/** Converts source paths to column paths, which have no step for the items of a nested list. */
function columnsOf(paths: readonly Path[], fields: readonly Field[]): readonly ColumnPath[] {
  const columns = new Map<string, ColumnPath>();
  for (const path of deepestPaths(paths)) {
    const column = ColumnPath.of(...namesOn(path, fields));
    columns.set(column.toString(), column);
  }
  return [...columns.values()];
}

/** Returns the names of the column and of the struct fields on a path. Leaves out the steps to the items of nested lists. */
function namesOn({ steps }: Path, columns: readonly Field[]): readonly string[] {
  const names: string[] = [];
  let type: DataType = new Struct([...columns]);
  for (const step of steps) {
    if (!isListType(type)) {
      names.push(String(step));
      type = (type.children as readonly Field[]).find(({ name }) => name === step)!.type;
    }
    if (isListType(type)) type = type.children[0]!.type;
  }
  return names;
}
