import { unusable, wrongField } from "../expression/errors.js";
import { addField, fieldAtPath } from "../expression/find-field.js";
import type { Field } from "../expression/graph-node.js";
import { Path, type Step } from "../path/path.js";
import { equiJoin } from "../prensor/joins.js";
import { fieldAt, messageAt, type Operator } from "./operator.js";
import { promoteField } from "./promote.js";
import { takenField, takeElements } from "./take.js";

/**
 * Copies the field into each message of `sibling`, a field beside it. The copies are sorted by sibling message, then by original
 * position.
 * @throws {SchemaError} `schema-mismatch` (`sibling-not-message`) if the sibling is a leaf.
 * @throws {ArgumentError} `invalid-argument` (`broadcast-root`) for the root.
 */
export function broadcast(root: Field, path: Path, sibling: Step, as: Step): Field {
  if (path.length === 0)
    throw unusable("broadcast-root", "The root cannot be broadcast, because it has no siblings.");
  const target = path.parent().child(sibling);
  const field = fieldAtPath(root, path);
  return addField(root, target, as, broadcastField(field, fieldAtPath(root, target), target));
}

/** @param target path of the sibling, for error messages. */
function broadcastField(field: Field, sibling: Field, target: Path): Field {
  if (sibling.node.type.kind !== "child") {
    throw wrongField(
      "sibling-not-message",
      target,
      "a message, so that a field can be broadcast to it",
      sibling.node.type,
    );
  }
  const inputs = [field.node, sibling.node];
  return takenField({ op: "broadcast", attrs: {}, inputs, type: field.node.type }, field);
}

/** Computes a copy of a field's elements for each sibling message with the same parent. */
export const broadcastOperator: Operator = {
  op: "broadcast",
  calculate(inputs) {
    const field = fieldAt(inputs, 0);
    const { indexA, indexB } = equiJoin(messageAt(inputs, 1).parentIndex, field.parentIndex);
    return takeElements(field, indexB, indexA);
  },
};

/**
 * Copies fields into each message at `destination`. Each field is promoted to its closest common ancestor with `destination`,
 * then broadcast down. A field that is already in `destination` is only copied.
 * @param fields source paths, keyed by the names of the copies.
 */
export function promoteAndBroadcast(
  root: Field,
  fields: Readonly<Record<string, Path>>,
  destination: Path,
): Field {
  const copies = Object.entries(fields).map(([as, path]) => {
    if (path.length === 0)
      throw unusable("broadcast-root", "The root cannot be promoted or broadcast.", "fields");
    return [as, path] as const;
  });
  let result = root;
  for (const [as, path] of copies) {
    result = addField(result, destination, as, movedField(root, path, destination));
  }
  return result;
}

/** Promotes a field to its closest common ancestor with `destination`, then broadcasts it down to `destination`. */
function movedField(root: Field, path: Path, destination: Path): Field {
  const meeting = path.parent().commonAncestor(destination);
  let field = fieldAtPath(root, path);
  for (let depth = path.length - 1; depth > meeting.length; depth--) {
    field = promoteField(field, fieldAtPath(root, path.prefix(depth)).node);
  }
  for (let depth = meeting.length + 1; depth <= destination.length; depth++) {
    const target = destination.prefix(depth);
    field = broadcastField(field, fieldAtPath(root, target), target);
  }
  return field;
}

/**
 * Adds fields, with everything below them, at new paths.
 * @param copies for each copy, its new path, the field, and the old path.
 */
export function addPaths(root: Field, copies: readonly (readonly [Path, Field, Path])[]): Field {
  let result = root;
  for (const [target, field] of copies) {
    if (target.length === 0) {
      const message = "A field cannot be copied to the root; the path of a copy must have at least one step.";
      throw unusable("path-exists", message, "copies");
    }
    result = addField(result, target.parent(), target.last(), field);
  }
  return result;
}
