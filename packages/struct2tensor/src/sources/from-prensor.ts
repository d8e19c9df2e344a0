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

/** The fields of a prensor. @see struct2tensor `create_expression_from_prensor` */
export function fromPrensor(prensor: Prensor): Expression {
  assertPrensor(prensor);
  const type = typeOfPrensor(prensor);
  return new Expression(rootOf(prensorSource("prensor", type, prensor), type));
}

/**
 * Fields of a prensor that is passed when the query runs, as `{ prensor }`.
 * @param name the name of the source.
 * @see struct2tensor `placeholder.create_expression_from_schema`
 */
export function placeholder<const S extends MessageSchema>(schema: S, name = "prensor"): Expression<S> {
  assertArgument("schema", schema, aMessageSchema);
  const type = typeOfSchema(schema);
  return new Expression(rootOf(prensorSource(name, type), type));
}

/**
 * The columns of a record batch. A struct is a message, a list is a repeated field, anything else an optional one. A null cell has no element.
 * The items of a list in a list have the step `data`. A null among the items of a list is `not-convertible` (`null-in-list`) when it is read.
 */
export function fromRecordBatch(batch: RecordBatch): Expression {
  assertArgument("batch", batch, aRecordBatch);
  return new Expression(rootOf(batchSource("batch", batch.schema, batch), typeOfArrow(batch.schema)));
}

/** {@link fromRecordBatch} for batches of one schema that are passed when the query runs, as `{ batch }`. */
export function batchPlaceholder(arrowSchema: ArrowSchema, name = "batch"): Expression {
  assertArgument("arrowSchema", arrowSchema, anArrowSchema);
  return new Expression(rootOf(batchSource(name, arrowSchema), typeOfArrow(arrowSchema)));
}
