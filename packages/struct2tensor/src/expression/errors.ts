import { ArgumentError, SchemaError } from "@tfxio/wire";
import { nearMatches } from "../path/near-matches.js";
import type { Path } from "../path/path.js";
import { describeType, type NodeType } from "../prensor/nodes.js";
import type { Field } from "./graph-node.js";

/** The field at `path` is missing: `parent` is the last one that exists, and the error names its fields most like the step. */
export function missingPath(path: Path, parent: Field, depth: number): SchemaError {
  const step = String(path.steps[depth]);
  const known = parent.knownSteps().map(String);
  const near = nearMatches(step, known);
  const place = depth === 0 ? "the root" : `"${path.prefix(depth)}"`;
  const hint =
    parent.node.type.kind === "leaf"
      ? "It is a leaf"
      : near.length > 0
        ? `Did you mean ${near.map((name) => `"${name}"`).join(" or ")}`
        : `It has ${known.length === 0 ? "no fields" : known.slice(0, 10).join(", ")}`;
  return new SchemaError(
    "schema-mismatch",
    `There is no field "${path}": ${place} has no "${step}". ${hint}${near.length > 0 && parent.node.type.kind !== "leaf" ? "?" : "."}`,
    { reason: "unknown-column", columnPath: path.toString() },
  );
}

/** The field at `path` is not of the kind that an operator takes. */
export function wrongField(reason: string, path: Path, expected: string, found: NodeType): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `The field "${path}" must be ${expected}, found ${describeType(found)}.`,
    { reason, columnPath: path.toString(), expected, actual: describeType(found) },
  );
}

/** There is a field already where a new one would go. */
export function takenPath(path: Path): ArgumentError {
  return new ArgumentError("invalid-argument", `There is a field "${path}" already; choose another name.`, {
    reason: "path-exists",
    argument: "as",
  });
}

/** An operator cannot be used like this. */
export function unusable(reason: string, message: string, argument = "path"): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason, argument });
}
