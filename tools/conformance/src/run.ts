import { handlers } from "./handlers/index.js";
import type { Outcome } from "./outcome.js";
import type { VectorCase } from "./vector-file.js";

/** A case and what became of it. */
export interface Result {
  readonly vector: VectorCase;
  readonly outcome: Outcome;
}

/** Names what is not built: the operation when others of its group are, else the whole group. */
function unbuilt({ family, group, op }: VectorCase): string {
  const knowsGroup = [...handlers.keys()].some((key) => key.startsWith(`${family}/${group}/`));
  return knowsGroup ? `${family}/${group}: ${op}` : `${family}/${group}`;
}

async function runCase(vector: VectorCase): Promise<Outcome> {
  const run = handlers.get(`${vector.family}/${vector.group}/${vector.op}`);
  return run === undefined ? { status: "skipped", reason: unbuilt(vector) } : run(vector);
}

/** Runs cases one after the other and hands over each result as it comes. */
export async function* runCases(cases: readonly VectorCase[]): AsyncGenerator<Result> {
  for (const vector of cases) yield { vector, outcome: await runCase(vector) };
}
