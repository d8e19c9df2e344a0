import { createQueryPlan, type Expression, type QueryPlan } from "@tfxio/struct2tensor";
import { isTfxioError } from "@tfxio/wire";
import { differenceOf } from "../difference.js";
import { categoryOf } from "../error-categories.js";
import { NotBuiltYet, type Outcome, outcomeOf } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import { applyStep } from "./apply-step.js";
import { type ExpressionCase, expressionOf } from "./expression-case.js";
import { nodeNotation, raggedNotation, sparseNotation } from "./value-notation.js";

/** Runs a query over records or a prensor, and compares the result or the error with the expectation. */
export async function runExpressionVector(vector: VectorCase): Promise<Outcome> {
  const { query = [], expect } = vector.body as unknown as ExpressionCase;
  const phase = { name: "build" };
  try {
    const expression = query.reduce(stepper(expect.error?.code), expressionOf(vector));
    phase.name = "calculate";
    if (expect.error !== undefined) {
      await computeAll(expression);
      return { status: "failed", detail: `expected error ${expect.error.code}, got a result` };
    }
    return outcomeOf(
      differenceOfFields(expression, expect) ?? (await differenceOfValues(expression, expect)),
    );
  } catch (error) {
    if (error instanceof NotBuiltYet) return { status: "skipped", reason: error.message };
    if (!isTfxioError(error) || expect.error === undefined) throw error;
    return outcomeOf(differenceOfError(error, phase.name, expect.error));
  }
}

/**
 * Returns a function that applies one step. struct2tensor raises SIBLING_NOT_MESSAGE only when it calculates. Our code throws it
 * earlier, which can hide the error of a later step. So a step that throws it is skipped if the test vector expects a different
 * error.
 * @param wanted Code of the expected error, if any.
 */
function stepper(wanted: string | undefined): typeof applyStep {
  return (expression, step) => {
    try {
      return applyStep(expression, step);
    } catch (error) {
      const isEarly = isTfxioError(error) && error.reason === "sibling-not-message";
      if (isEarly && wanted !== undefined && wanted !== "SIBLING_NOT_MESSAGE") return expression;
      throw error;
    }
  };
}

/**
 * Compares an error with the expected one. Any error may come in an earlier phase than expected, but only `invalid-argument`
 * may come in a later one.
 */
function differenceOfError(
  error: { readonly code: string; readonly reason?: string | undefined },
  phase: string,
  wanted: NonNullable<ExpressionCase["expect"]["error"]>,
): string | undefined {
  const { code, reason } = error as { readonly code: never; readonly reason?: string };
  const category = categoryOf("struct2tensor", { code, ...(reason && { reason }) });
  const recordIndex = "recordIndex" in error ? error.recordIndex : undefined;
  const isLate = wanted.phase === "build" && phase === "calculate" && code !== "invalid-argument";
  return differenceOf(
    { code: wanted.code, record: wanted.record ?? recordIndex, isLate: false },
    { code: category ?? `${String(code)}/${reason}`, record: recordIndex, isLate },
    "error",
  );
}

/** Calculates an expression and reads every leaf. */
async function computeAll(expression: Expression): Promise<void> {
  const plan = await createQueryPlan([expression]);
  const [prensor] = plan.calculate().prensors;
  for (const path of prensor!.leafPaths()) prensor!.ragged(path);
}

function differenceOfFields(
  expression: Expression,
  { knownFields = {}, absent = [] }: ExpressionCase["expect"],
): string | undefined {
  const found = absent.find((path) => expression.has(path));
  if (found !== undefined) return `${found}: expected no field with this path, found one`;
  const known = Object.keys(knownFields).map((path) => [path, [...expression.knownFields(path)].sort()]);
  return differenceOf(knownFields, Object.fromEntries(known), "knownFields");
}

async function differenceOfValues(
  expression: Expression,
  { nodes = {}, ragged = {}, sparse = {}, sourcePaths }: ExpressionCase["expect"],
): Promise<string | undefined> {
  const paths = [...Object.keys(nodes), ...Object.keys(ragged), ...Object.keys(sparse)];
  const plan: QueryPlan = await createQueryPlan([expression.project(paths)]);
  const prensor = plan.calculate().prensors[0]!;
  const found: Record<string, unknown> = {};
  const wanted: Record<string, unknown> = {};
  for (const [path, node] of Object.entries(nodes)) {
    wanted[path] = node;
    found[path] = nodeNotation(prensor.get(path).node, node);
  }
  for (const [path, rows] of Object.entries(ragged)) {
    wanted[`ragged ${path}`] = rows;
    found[`ragged ${path}`] = raggedNotation(prensor.ragged(path));
  }
  for (const [path, tensor] of Object.entries(sparse)) {
    wanted[`sparse ${path}`] = tensor;
    found[`sparse ${path}`] = sparseNotation(prensor.sparse(path), tensor);
  }
  if (sourcePaths !== undefined) {
    wanted["sourcePaths"] = [...sourcePaths].sort();
    found["sourcePaths"] = (plan.sourcePaths["records"] ?? []).map(String).sort();
  }
  return differenceOf(wanted, found);
}
