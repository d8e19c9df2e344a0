import type { Path } from "../path/path.js";
import { canonicalGraph } from "../plan/canonical.js";
import { unusable } from "./errors.js";
import { fieldAtPath } from "./find-field.js";
import type { Field } from "./graph-node.js";

/** The place of a field: the root of its expression, and the path of the field. */
export interface PlacedField {
  readonly root: Field;
  readonly path: Path;
}

/**
 * Asserts that the parents of both fields are computed in the same way, so that their elements correspond.
 * @throws {ArgumentError} `invalid-argument` (`other-parent`).
 */
export function assertSameParent(target: PlacedField, source: PlacedField): void {
  const graph = canonicalGraph();
  const [a, b] = [target, source].map(({ root, path }) => graph.add(fieldAtPath(root, path.parent()).node));
  if (a === b) return;
  throw unusable(
    "other-parent",
    `"${source.path}" cannot be copied to "${target.path}", because their parents differ. Promote or broadcast "${source.path}" first.`,
    "copies",
  );
}
