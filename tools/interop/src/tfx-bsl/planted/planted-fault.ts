import type { Reporter } from "../../interop.js";
import type { Json, Question } from "../question.js";

/** A fault planted into a foreign answer, to prove that the comparison detects it. */
export interface PlantedFault {
  readonly name: string;
  /** Returns the answer with the fault; undefined if the answer has no place for it. */
  readonly plant: (theirs: Json) => Json | undefined;
}

/**
 * Reports one check per fault. It plants the fault into the first answer that agrees with ours and has a place for it.
 * The check fails if that answer still agrees, or if there is no such answer.
 */
export async function reportPlanted(
  area: string,
  faults: readonly PlantedFault[],
  questions: readonly Question[],
  report: Reporter,
): Promise<void> {
  for (const { name, plant } of faults) {
    await report.check(`planted in ${area}: ${name}`, async () => {
      for (const question of questions) {
        const planted = plant(question.theirs);
        if (planted === undefined) continue;
        if ((await question.differenceTo(question.theirs)) !== undefined) continue;
        if ((await question.differenceTo(planted)) !== undefined) return;
        throw new Error(`not seen in ${question.what}`);
      }
      throw new Error("no answer has a place for it");
    });
  }
}

/**
 * Changes the first place, in depth-first order, where `change` returns a value other than undefined. Returns a changed
 * copy, or undefined if there is no such place. `change` receives the value and its key.
 */
export function changedAt<Value>(
  json: Value,
  change: (value: unknown, key: string) => unknown,
  key = "",
): Value | undefined {
  const changed = change(json, key);
  if (changed !== undefined) return changed as Value;
  if (typeof json !== "object" || json === null) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const inner = changedAt(value, change, name);
    if (inner === undefined) continue;
    const copy = (Array.isArray(json) ? [...json] : { ...json }) as Record<string, unknown>;
    copy[name] = inner;
    return copy as Value;
  }
  return undefined;
}
