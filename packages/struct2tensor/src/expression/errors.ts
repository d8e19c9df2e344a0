import { ArgumentError, SchemaError } from "@tfxio/wire";
import { nearMatches } from "../path/near-matches.js";
import type { Path } from "../path/path.js";
import { describeType, type NodeType } from "../prensor/nodes.js";
import type { Field } from "./graph-node.js";

/**
 * Creates the error for a path to a missing field. If `parent` is a leaf, the message says so. Otherwise it suggests up to three
 * children with similar names, or lists the first 10 children if no name is similar.
 * @param parent the last existing field on the path.
 * @param depth number of steps from the root to `parent`.
 */
export function missingPath(path: Path, parent: Field, depth: number): SchemaError {
  const step = String(path.steps[depth]);
  const known = parent.knownSteps().map(String);
  const near = nearMatches(step, known);
  const place = depth === 0 ? "the root" : `"${path.prefix(depth)}"`;
  const hint =
    parent.node.type.kind === "leaf"
      ? "It holds values, not fields."
      : near.length > 0
        ? `Did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
        : `It has ${known.length === 0 ? "no fields" : known.slice(0, 10).join(", ")}${known.length > 10 ? ", …" : ""}.`;
  return new SchemaError(
    "schema-mismatch",
    `The field "${path}" does not exist: ${place} has no "${step}". ${hint}`,
    { reason: "unknown-column", columnPath: path.toString() },
  );
}

/** Creates the error for a field of the wrong kind, cardinality or type. */
export function wrongField(reason: string, path: Path, expected: string, found: NodeType): SchemaError {
  const actual = describeType(found);
  return new SchemaError("schema-mismatch", `The field "${path}" must be ${expected}, found ${actual}.`, {
    reason,
    columnPath: path.toString(),
    expected,
    actual,
  });
}

/** Creates the error for a new field whose path already exists. */
export function takenPath(path: Path): ArgumentError {
  return new ArgumentError("invalid-argument", `The field "${path}" already exists; choose another name.`, {
    reason: "path-exists",
    argument: "as",
  });
}

/** Creates the error for an argument that cannot be used. @param argument name of the argument. */
export function unusable(reason: string, message: string, argument = "path"): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason, argument });
}
