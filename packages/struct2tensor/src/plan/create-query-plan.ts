import { invalidArgument } from "@tfxio/wire/checks";
import { type AnyExpression, Expression } from "../expression/expression.js";
import type { SourceInputs } from "../execute/run-nodes.js";
import type { MessageSchema } from "../prensor/prensor-schema.js";
import type { TypedPrensor } from "../prensor/typed-prensor.js";
import { planFields, type QueryPlan } from "./query-plan.js";

/**
 * Plans expressions together. Each computation runs once, and each message is read in one pass, only for the fields that some
 * expression needs. Expressions may share sources.
 * @throws {ArgumentError} `invalid-argument`: `recursive-type`, `map-key`, `source-name`.
 * @see struct2tensor `calculate.calculate_prensors`
 */
export async function createQueryPlan(expressions: readonly AnyExpression[]): Promise<QueryPlan> {
  if (!Array.isArray(expressions) || !expressions.every((given) => given instanceof Expression)) {
    throw invalidArgument("expressions", "a list of Expressions", expressions);
  }
  return planFields(expressions.map(({ root }) => root));
}

/** Computes all known fields of one expression for one batch. For many batches, create a plan. Errors as for a plan. */
export async function calculate<S extends MessageSchema>(
  expression: Expression<S>,
  inputs?: SourceInputs,
): Promise<TypedPrensor<S>> {
  const plan = await createQueryPlan([expression]);
  return plan.calculate(inputs).prensors[0] as TypedPrensor<S>;
}
