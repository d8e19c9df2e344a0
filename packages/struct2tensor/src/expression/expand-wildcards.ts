import { ArgumentError } from "@tfxio/wire";
import { aList, aListOf, assertArgument } from "@tfxio/wire/checks";
import { badPath } from "../path/step.js";
import { Path, type Step } from "../path/path.js";
import { type AnyExpression, anExpression } from "./expression.js";
import { fieldAtPath } from "./find-field.js";
import { knownFields } from "./known-fields.js";

const aListOfSteps = aListOf("a list of lists of steps", aList);

/**
 * Expands each path that ends in `*` to the paths of all known leaves below the message before the `*`. Sorts the result by path,
 * except that the single path `*` yields all known leaves of the root in declaration order.
 * @throws {ArgumentError} `invalid-argument`: `column-path` for a `*` that is not the entire last step; `duplicate-path`;
 *   `recursive-type`.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`).
 */
export function expandWildcards(
  expression: AnyExpression,
  paths: readonly (readonly Step[])[],
): readonly Path[] {
  assertArgument("expression", expression, anExpression);
  assertArgument("paths", paths, aListOfSteps);
  const { root } = expression;
  const expanded = paths.flatMap((steps) => {
    const last = steps.at(-1);
    const partial = (last === "*" ? steps.slice(0, -1) : steps).find((step) => String(step).includes("*"));
    if (partial !== undefined) throw badPath(steps.join("."), partial);
    if (last !== "*") {
      const path = Path.of(steps);
      fieldAtPath(root, path);
      return [path];
    }
    const above = Path.of(steps.slice(0, -1));
    return knownFields(fieldAtPath(root, above), above)
      .filter(({ path, field }) => path.length > above.length && field.node.type.kind === "leaf")
      .map(({ path }) => path);
  });
  const isWhole = paths.length === 1 && paths[0]!.length === 1;
  const ordered = isWhole ? expanded : [...expanded].sort(Path.compare);
  const twice = [...expanded].sort(Path.compare).find((path, index, all) => {
    const next = all[index + 1];
    return next !== undefined && Path.compare(path, next) === 0;
  });
  if (twice === undefined) return ordered;
  throw new ArgumentError("invalid-argument", `The path "${twice}" is selected twice.`, {
    reason: "duplicate-path",
    argument: "paths",
  });
}
