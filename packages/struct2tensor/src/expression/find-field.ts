import { assertArgument } from "@tfxio/wire/checks";
import type { Path, Step } from "../path/path.js";
import { aFieldName } from "../prensor/schema-rules.js";
import { missingPath, takenPath, wrongField } from "./errors.js";
import { type Field, withChild } from "./graph-node.js";

/** Returns the fields from the root to `path`, both included. @throws {SchemaError} `schema-mismatch` (`unknown-column`). */
export function fieldsTo(root: Field, path: Path): readonly [Field, ...Field[]] {
  const fields: [Field, ...Field[]] = [root];
  for (const [depth, step] of path.steps.entries()) {
    const parent = fields[depth]!;
    const child = parent.child(step);
    if (child === undefined) throw missingPath(path, parent, depth);
    fields.push(child);
  }
  return fields;
}

/** Returns the field at `path`. @throws {SchemaError} `schema-mismatch` (`unknown-column`), which suggests similar names. */
export function fieldAtPath(root: Field, path: Path): Field {
  return fieldsTo(root, path).at(-1)!;
}

/** Returns the field at `path`, or undefined if there is none. */
export function findField(root: Field, path: Path): Field | undefined {
  let field: Field | undefined = root;
  for (const step of path.steps) field = field?.child(step);
  return field;
}

/**
 * Returns a copy of the root with a new field below an existing one.
 * @throws {SchemaError} `schema-mismatch`: `unknown-column` if the parent is missing, `not-a-message` if it is a leaf.
 * @throws {ArgumentError} `invalid-argument` for an invalid name, or (`path-exists`) for a name that is in use.
 */
export function addField(root: Field, parent: Path, step: Step, field: Field): Field {
  assertArgument("as", step, aFieldName);
  const fields = fieldsTo(root, parent);
  const last = fields.at(-1)!;
  if (last.node.type.kind === "leaf") throw wrongField("not-a-message", parent, "a message", last.node.type);
  if (last.child(step) !== undefined) throw takenPath(parent.child(step));
  return replaceAlong(fields, parent, withChild(last, step, { ...field, isAdded: true }));
}

/** Returns a copy of the root with the field at `path` replaced. @param fields the fields along `path`. */
function replaceAlong(fields: readonly Field[], path: Path, replacement: Field): Field {
  let below = replacement;
  for (let depth = path.length - 1; depth >= 0; depth--) {
    below = withChild(fields[depth]!, path.steps[depth]!, below);
  }
  return below;
}
