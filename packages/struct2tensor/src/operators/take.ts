import { type Field, type GraphNode, mappedField } from "../expression/graph-node.js";
import { equiJoin } from "../prensor/joins.js";
import type { LeafNode } from "../prensor/nodes.js";
import { gatherPositions, gatherValues } from "../prensor/positions.js";
import { fieldAt, messageAt, type Operator } from "./operator.js";
import type { MessageValue } from "./node-value.js";

/**
 * Creates a field with the elements that `taken` selects from `origin`. The fields below it select the children of these
 * elements.
 */
export function takenField(taken: GraphNode, origin: Field): Field {
  return mappedField(taken, origin, (child) =>
    takenField({ op: "descend", attrs: {}, inputs: [child.node, taken], type: child.node.type }, child),
  );
}

/**
 * Returns the elements at the positions `origin`, with new parents. Copies the values of a leaf. For messages, stores only the
 * positions.
 */
export function takeElements<Value extends MessageValue | LeafNode>(
  field: Value,
  origin: Int32Array,
  parentIndex: Int32Array,
): Value {
  if (field.kind === "leaf") {
    const { kind, isRepeated, dtype } = field;
    const values = gatherValues(dtype, field.values, origin);
    return { kind, isRepeated, parentIndex, dtype, values } as unknown as Value;
  }
  const { kind, isRepeated } = field;
  return { kind, isRepeated, parentIndex, origin } as unknown as Value;
}

/** Returns the elements at the positions `kept`. Each keeps its parent. */
export function keepElements<Value extends MessageValue | LeafNode>(field: Value, kept: Int32Array): Value {
  return takeElements(field, kept, gatherPositions(field.parentIndex, kept));
}

/** Computes the children of selected messages, in the order of the selection. A message may be selected any number of times. */
export const descendOperator: Operator = {
  op: "descend",
  calculate(inputs) {
    const child = fieldAt(inputs, 0);
    const { origin } = messageAt(inputs, 1);
    if (origin === undefined) throw new Error("descend requires messages that another operator has selected");
    const { indexA, indexB } = equiJoin(origin, child.parentIndex);
    return takeElements(child, indexB, indexA);
  },
};
