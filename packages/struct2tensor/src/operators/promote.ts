import { unusable } from "../expression/errors.js";
import { addField, fieldsTo } from "../expression/find-field.js";
import type { Field, GraphNode } from "../expression/graph-node.js";
import type { Path, Step } from "../path/path.js";
import type { FieldType } from "../prensor/nodes.js";
import { gatherPositions } from "../prensor/positions.js";
import { fieldAt, type Operator } from "./operator.js";
import { promoteFeature } from "./promote-feature.js";

/**
 * Adds a copy of the field beside its parent. Each element moves to its grandparent. The copy is repeated if the field or its
 * parent is repeated.
 * @throws {ArgumentError} `invalid-argument` (`promote-beyond-root`) for the root or one of its fields.
 */
export function promote(root: Field, path: Path, as: Step): Field {
  const fields = fieldsTo(root, path);
  if (path.length < 2) {
    const what = path.length === 0 ? "The root" : `"${path}"`;
    throw unusable("promote-beyond-root", `${what} cannot be promoted, because it has no grandparent.`);
  }
  const [field, parent] = [fields.at(-1)!, fields.at(-2)!];
  const feature = promoteFeature(field.feature, parent.feature);
  const promoted = promoteField(field, parent.node);
  return addField(root, path.prefix(-2), as, feature ? { ...promoted, feature } : promoted);
}

/**
 * Returns the field moved up to its grandparent. The fields below it do not change.
 * @param parent the node of the parent, from which the elements move up.
 */
export function promoteField(field: Field, parent: GraphNode): Field {
  const own = field.node.type as FieldType;
  const isRepeated = own.isRepeated || (parent.type as FieldType).isRepeated;
  const { payload: _, feature: __, ...rest } = field;
  return {
    ...rest,
    node: { op: "promote", attrs: {}, inputs: [field.node, parent], type: { ...own, isRepeated } },
  };
}

/** Computes the field with each element's parent replaced by its grandparent. */
export const promoteOperator: Operator = {
  op: "promote",
  calculate(inputs, { type }) {
    const field = fieldAt(inputs, 0);
    const parent = fieldAt(inputs, 1);
    const { isRepeated } = type as FieldType;
    const parentIndex = gatherPositions(parent.parentIndex, field.parentIndex);
    return { ...field, isRepeated, parentIndex, rowSplits: undefined };
  },
};
