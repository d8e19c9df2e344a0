import type { Path } from "../path/path.js";
import { ArgumentError } from "@tfxio/wire";
import type { Field } from "./graph-node.js";

/** A field and its path. */
export interface KnownField {
  readonly path: Path;
  readonly field: Field;
}

/**
 * Returns every known field, parents before their children, siblings in declaration order.
 * @param at path of `root`; all returned paths start with it.
 * @throws {ArgumentError} `invalid-argument` (`recursive-type`) if a message type contains itself. Project to the paths that you
 *   need, or limit the depth.
 */
export function knownFields(root: Field, at: Path): readonly KnownField[] {
  const found: KnownField[] = [];
  collect({ path: at, field: root }, [], found);
  return found;
}

/** @param around names of the message types that contain the field. */
function collect(known: KnownField, around: readonly string[], found: KnownField[]): void {
  const { path, field } = known;
  found.push(known);
  const { typeName, isAdded } = field;
  const above = isAdded === true ? [] : around;
  if (typeName !== undefined && above.includes(typeName)) throw recursion(path, typeName);
  const types = typeName === undefined ? above : [...above, typeName];
  for (const step of field.knownSteps()) {
    const child = field.child(step);
    if (child !== undefined) collect({ path: path.child(step), field: child }, types, found);
  }
}

function recursion(path: Path, typeName: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `The message type ${typeName} contains itself at "${path}". Project to the paths that you need, or limit the depth.`,
    { reason: "recursive-type", argument: "paths" },
  );
}
