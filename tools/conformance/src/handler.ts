import { isTfxioError } from "@tfxio/wire";
import { differenceOf } from "./difference.js";
import { categoryOf } from "./error-categories.js";
import { NotBuiltYet, type Outcome, outcomeOf, passed } from "./outcome.js";
import type { VectorCase } from "./vector-file.js";

/** The input or the expectation of a case, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Runs one operation of the tfx-bsl test vectors. The plain values that both methods return are compared. */
export interface Handler {
  /** Runs our code. If it throws, the error is compared with the case's error category. */
  actual(input: Json, expect: Json): unknown;
  /** Converts the expectation to the notation of `actual`. Absent for operations that can only fail. */
  expected?(expect: Json, input: Json): unknown;
}

/**
 * A category that matches every `TfxioError`. `interop` expects it where tfx_bsl rejects an input, because errors of tfx_bsl have
 * no category. Vectors never contain it.
 */
export const anyCategory = "*";

/** Names the expected error in the description of a failure. */
function expectedError(category: string): string {
  return category === anyCategory ? "any TfxioError" : `error ${category}`;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Compares the thrown error with the category that the test vector expects. */
function errorOutcome(vector: VectorCase, category: string, error: unknown): Outcome {
  if (!isTfxioError(error))
    return { status: "failed", detail: `expected ${expectedError(category)}, got ${describe(error)}` };
  const found = categoryOf(vector.family, {
    code: error.code,
    ...(error.reason && { reason: error.reason }),
  });
  if (found === category || category === anyCategory) return passed;
  const words = error.reason === undefined ? error.code : `${error.code}/${error.reason}`;
  return {
    status: "failed",
    detail: `expected error ${category}, got ${found ?? "no category"} (${words}): ${error.message}`,
  };
}

/** Runs a case, and compares the result or the error with `expect`. */
async function runAgainst(vector: VectorCase, handler: Handler, expect: Json): Promise<Outcome> {
  const input = (vector.body["input"] ?? {}) as Json;
  const category = (expect["error"] as { readonly category: string } | undefined)?.category;
  let actual: unknown;
  try {
    actual = await handler.actual(input, expect);
  } catch (error) {
    if (error instanceof NotBuiltYet) return { status: "skipped", reason: error.message };
    if (category === undefined) return { status: "failed", detail: `unexpected ${describe(error)}` };
    return errorOutcome(vector, category, error);
  }
  if (category !== undefined || handler.expected === undefined) {
    return {
      status: "failed",
      detail: `expected ${category === undefined ? "an error" : expectedError(category)}, got a result`,
    };
  }
  return outcomeOf(differenceOf(handler.expected(expect, input), actual));
}

/**
 * Runs a case that has `input` and `expect`. The case may also have `expect_if_supported`, which is an alternative expectation
 * for implementations that support more than tfx_bsl. The case passes if either expectation is met.
 */
export async function runWithHandler(vector: VectorCase, handler: Handler): Promise<Outcome> {
  const { expect = {}, expect_if_supported: ifSupported } = vector.body as Readonly<
    Record<string, Json | undefined>
  >;
  const outcome = await runAgainst(vector, handler, expect);
  if (outcome.status !== "failed" || ifSupported === undefined) return outcome;
  const second = await runAgainst(vector, handler, ifSupported);
  return second.status === "passed" ? second : outcome;
}
