import { ArgumentError, SchemaError } from "@tfxio/wire";
import { nearMatches } from "../path/near-matches.js";
import type { Path } from "../path/path.js";
import { describeType, type NodeType } from "../prensor/nodes.js";
import type { Field } from "./graph-node.js";

/**
 * Creates the error for a path to a missing field. Its message suggests the children of `parent` with similar names, or otherwise
 * lists the first 10 children.
 * @param parent the last field on the path that exists.
 * @param depth number of steps from the root to `parent`.
 */
export function missingPath(path: Path, parent: Field, depth: number): SchemaError {
  const step = String(path.steps[depth]);
  const known = parent.knownSteps().map(String);
  const near = nearMatches(step, known);
  const place = depth === 0 ? "the root" : `"${path.prefix(depth)}"`;
  const hint =
    parent.node.type.kind === "leaf"
      ? "It is a leaf."
      : near.length > 0
        ? `Did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
        : `It has ${known.length === 0 ? "no fields" : known.slice(0, 10).join(", ")}${known.length > 10 ? ", …" : ""}.`;
  return new SchemaError(
    "schema-mismatch",
    `The field "${path}" does not exist: ${place} has no "${step}". ${hint}`,
    { reason: "unknown-column", columnPath: path.toString() },
  );
}

/** Creates the error for a field whose kind or type an operator does not accept. */
export function wrongField(reason: string, path: Path, expected: string, found: NodeType): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `The field "${path}" must be ${expected}, found ${describeType(found)}.`,
    { reason, columnPath: path.toString(), expected, actual: describeType(found) },
  );
}

/** Creates the error for a new field whose path already exists. */
export function takenPath(path: Path): ArgumentError {
  return new ArgumentError("invalid-argument", `The field "${path}" already exists; choose another name.`, {
    reason: "path-exists",
    argument: "as",
  });
}

/** Creates the error for arguments that an operator cannot use. @param argument name of the argument at fault. */
export function unusable(reason: string, message: string, argument = "path"): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason, argument });
}
