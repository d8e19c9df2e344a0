import type { Reporter } from "../../interop.js";
import type { Json, Question } from "../question.js";

/** A fault that is planted in a peer's answer to show that the comparison detects it. */
export interface PlantedFault {
  readonly name: string;
  /** Returns the answer with the fault, or undefined if the answer has no suitable place for it. */
  readonly plant: (theirs: Json) => Json | undefined;
}

/**
 * Reports one check per fault. The check plants the fault in the first answer that equals ours and has a suitable place. It
 * fails if the changed answer still equals ours, or if there is no such answer.
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
        throw new Error(`the comparison must detect the fault in ${question.what}`);
      }
      throw new Error("some answer must equal ours and have a suitable place for the fault, found none");
    });
  }
}

/**
 * Changes the first value, in depth-first order, for which `change` returns a value other than undefined. Returns a changed
 * copy, or undefined if there is no such value. `change` receives the value and its key, which is "" for `json` itself.
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
