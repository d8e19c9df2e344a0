import { ArgumentError } from "@tfxio/wire";
import type { BenchSet } from "./bench-set.js";

/**
 * The sets called `names` in the order asked for, or all of `known`.
 * @throws {ArgumentError} `invalid-argument` for a name that is not among `known`.
 */
export function chosenSets(
  known: readonly BenchSet[],
  names: readonly string[] | undefined,
): readonly BenchSet[] {
  if (names === undefined) return known;
  return names.map((name) => {
    const set = known.find((candidate) => candidate.name === name);
    if (set !== undefined) return set;
    const list = known.map((candidate) => candidate.name).join(", ");
    throw new ArgumentError("invalid-argument", `found no set "${name}", expected one of ${list}`, {
      argument: "sets",
    });
  });
}
