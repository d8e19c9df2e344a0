import { aListOf, assertArgument } from "@tfxio/wire/checks";
import { type AnyExpression, anExpression, type Expression } from "../expression/expression.js";
import type { SourceInputs } from "../execute/run-nodes.js";
import type { MessageSchema } from "../prensor/prensor-schema.js";
import type { TypedPrensor } from "../prensor/typed-prensor.js";
import { planFields, type QueryPlan } from "./query-plan.js";

const aListOfExpressions = aListOf("a list of Expressions", anExpression);

/**
 * Plans expressions together. Each computation runs once per batch. Each record is read in one pass, which decodes only the
 * fields that some expression needs. Each field that `transformField` transforms takes another pass. Expressions may share
 * sources.
 * @throws {ArgumentError} `invalid-argument`, in some cases with the reason `recursive-type`, `map-key` or `source-name`.
 * @see struct2tensor `calculate.calculate_prensors`
 */
export async function createQueryPlan(expressions: readonly AnyExpression[]): Promise<QueryPlan> {
  assertArgument("expressions", expressions, aListOfExpressions);
  return planFields(expressions.map(({ root }) => root));
}

/**
 * Computes all known fields of one expression for one batch. For several batches, create one plan and reuse it.
 * @throws The errors of {@link createQueryPlan} and {@link QueryPlan.calculate}.
 */
export async function calculate<S extends MessageSchema>(
  expression: Expression<S>,
  inputs?: SourceInputs,
): Promise<TypedPrensor<S>> {
  const plan = await createQueryPlan([expression]);
  return plan.calculate(inputs).prensors[0] as TypedPrensor<S>;
}
