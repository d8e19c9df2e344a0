import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { assertArgument } from "@tfxio/wire/checks";
import { Expression } from "../expression/expression.js";
import { assertPrensor, type Prensor } from "../prensor/prensor.js";
import type { MessageSchema } from "../prensor/prensor-schema.js";
import { aMessageSchema, anArrowSchema, aRecordBatch } from "../prensor/schema-rules.js";
import { typeOfArrow } from "./arrow-types.js";
import { batchSource } from "./batch-source.js";
import { prensorSource, typeOfPrensor } from "./prensor-source.js";
import { rootOf, typeOfSchema } from "./source-type.js";

/** Creates an expression over this prensor. A run needs no further data. @see struct2tensor `create_expression_from_prensor` */
export function fromPrensor(prensor: Prensor): Expression {
  assertPrensor(prensor);
  const type = typeOfPrensor(prensor);
  return new Expression(rootOf(prensorSource("prensor", type, prensor), type));
}

/**
 * Creates an expression over a prensor that is passed to each run, as `{ prensor }`.
 * @param schema the fields of the prensor. Pass a literal, so that TypeScript knows the paths and types.
 * @param name name of the source in the inputs of a run.
 * @see struct2tensor `placeholder.create_expression_from_schema`
 */
export function placeholder<const S extends MessageSchema>(schema: S, name = "prensor"): Expression<S> {
  assertArgument("schema", schema, aMessageSchema);
  const type = typeOfSchema(schema);
  return new Expression(rootOf(prensorSource(name, type), type));
}

/**
 * Creates an expression over the columns of this record batch. A run needs no further data. A struct is a message, and a list is
 * a repeated field. Anything else is an optional field. A null cell has no element. The items of a nested list have the step
 * `data`. Reading a null inside a list throws a {@link ConversionError} `not-convertible` (`null-in-list`). An
 * {@link UnsupportedError} `unsupported` (`column-type`) is thrown for a path or plan that includes a column without a dtype,
 * such as a map or union.
 */
export function fromRecordBatch(batch: RecordBatch): Expression {
  assertArgument("batch", batch, aRecordBatch);
  return new Expression(rootOf(batchSource("batch", batch.schema, batch), typeOfArrow(batch.schema)));
}

/**
 * Like {@link fromRecordBatch}, for a batch of this schema that is passed to each run, as `{ batch }`. A run throws
 * `schema-mismatch` (`declared-type`) if a column that the query reads has another type in the batch.
 */
export function batchPlaceholder(arrowSchema: ArrowSchema, name = "batch"): Expression {
  assertArgument("arrowSchema", arrowSchema, anArrowSchema);
  return new Expression(rootOf(batchSource(name, arrowSchema), typeOfArrow(arrowSchema)));
}
