import { createHandlers, handlerFor, type Handlers, knowsGroup, type RunOptions } from "./handlers/index.js";
import { NotBuiltYet, type Outcome } from "./outcome.js";
import type { VectorCase } from "./vector-file.js";

/** A case and its outcome. */
export interface Result {
  readonly vector: VectorCase;
  readonly outcome: Outcome;
}

/** Runs one case. A case without a handler is skipped, and so is a case whose subject is not implemented yet. */
async function runCase(handlers: Handlers, vector: VectorCase): Promise<Outcome> {
  const run = handlerFor(handlers, vector);
  if (run === undefined) {
    const { family, group, op } = vector;
    return {
      status: "skipped",
      reason: knowsGroup(handlers, vector) ? `${family}/${group}: ${op}` : `${family}/${group}`,
    };
  }
  try {
    return await run(vector);
  } catch (error) {
    if (error instanceof NotBuiltYet) return { status: "skipped", reason: error.message };
    return {
      status: "failed",
      detail: `unexpected ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
    };
  }
}

/** Runs cases one after another and yields each result as soon as it is known. An unexpected error fails only its case. */
export async function* runCases(
  cases: readonly VectorCase[],
  options: RunOptions = {},
): AsyncGenerator<Result> {
  const handlers = createHandlers(options);
  for (const vector of cases) yield { vector, outcome: await runCase(handlers, vector) };
}
