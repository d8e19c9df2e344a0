import { ArgumentError, SchemaError } from "@tfxio/wire";
import { nearMatches } from "../path/near-matches.js";
import type { Path } from "../path/path.js";
import { describeType, type NodeType } from "../prensor/nodes.js";
import type { Field } from "./graph-node.js";

/**
 * The error for a missing field. `parent` is the last existing field on the path; the error suggests similar names of its
 * children.
 */
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
    `The field "${path}" does not exist: ${place} has no "${step}". ${hint}${near.length > 0 && parent.node.type.kind !== "leaf" ? "?" : "."}`,
    { reason: "unknown-column", columnPath: path.toString() },
  );
}

/** The error for a field of a kind that the operator does not accept. */
export function wrongField(reason: string, path: Path, expected: string, found: NodeType): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `The field "${path}" must be ${expected}, found ${describeType(found)}.`,
    { reason, columnPath: path.toString(), expected, actual: describeType(found) },
  );
}

/** The error for a new field whose path already exists. */
export function takenPath(path: Path): ArgumentError {
  return new ArgumentError("invalid-argument", `The field "${path}" already exists; choose another name.`, {
    reason: "path-exists",
    argument: "as",
  });
}

/** The error for an operator that does not apply to its arguments. */
export function unusable(reason: string, message: string, argument = "path"): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason, argument });
}
