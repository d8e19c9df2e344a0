import { unusable } from "../expression/errors.js";
import { addField, fieldsTo } from "../expression/find-field.js";
import { type Field, leafField } from "../expression/graph-node.js";
import type { Path, Step } from "../path/path.js";
import { countsByParent, runLengthBefore } from "../prensor/joins.js";
import { type LeafNode, numElements } from "../prensor/nodes.js";
import { countingUp, toInt64 } from "../prensor/positions.js";
import { fieldAt, type Operator, parentAt } from "./operator.js";

/**
 * Adds a field with one value per parent. For `size`, the value is an int64: the number of the parent's elements. For `has`, it
 * is a bool: true if the parent has any element. A parent without elements gets 0 or false.
 * @throws {ArgumentError} `invalid-argument` (`root-size`) for the root.
 */
export function count(root: Field, path: Path, as: Step, op: "size" | "has"): Field {
  if (path.length === 0) throw unusable("root-size", "The root has no parent, so it has no size.");
  const fields = fieldsTo(root, path);
  const dtype = op === "size" ? "int64" : "bool";
  const inputs = [fields.at(-2)!.node, fields.at(-1)!.node];
  return addField(
    root,
    path.parent(),
    as,
    leafField({ op, attrs: {}, inputs, type: { kind: "leaf", isRepeated: false, dtype } }),
  );
}

/** Computes the number of elements of every parent. A parent without elements gets 0. */
export const sizeOperator: Operator = {
  op: "size",
  calculate(inputs): LeafNode<"int64"> {
    const numParents = numElements(parentAt(inputs, 0));
    const counts = countsByParent(fieldAt(inputs, 1).parentIndex, numParents);
    return perParent("int64", toInt64(counts));
  },
};

/** Computes a bool for every parent: true if it has an element. */
export const hasOperator: Operator = {
  op: "has",
  calculate(inputs): LeafNode<"bool"> {
    const present = new Uint8Array(numElements(parentAt(inputs, 0)));
    for (const parent of fieldAt(inputs, 1).parentIndex) present[parent] = 1;
    return perParent("bool", present);
  },
};

/** Creates a leaf with exactly one value per parent. */
function perParent<D extends "int64" | "bool">(dtype: D, values: LeafNode<D>["values"]): LeafNode<D> {
  return { kind: "leaf", isRepeated: false, dtype, parentIndex: countingUp(values.length), values };
}

/**
 * Adds an int64 field with the position of each element within its parent: 0, 1, … from the start, or …, -2, -1 from the end.
 * @throws {ArgumentError} `invalid-argument` (`root-index`) for the root.
 */
export function index(root: Field, path: Path, as: Step, op: "positionalIndex" | "indexFromEnd"): Field {
  if (path.length === 0)
    throw unusable("root-index", "The root has no parent, so its elements have no index.");
  const { node } = fieldsTo(root, path).at(-1)!;
  const { isRepeated } = node.type as { readonly isRepeated: boolean };
  return addField(
    root,
    path.parent(),
    as,
    leafField({ op, attrs: {}, inputs: [node], type: { kind: "leaf", isRepeated, dtype: "int64" } }),
  );
}

/** Computes the position of each element within its parent, counted from 0. */
export const positionalIndexOperator: Operator = {
  op: "positionalIndex",
  calculate(inputs): LeafNode<"int64"> {
    const { isRepeated, parentIndex } = fieldAt(inputs, 0);
    const values = toInt64(runLengthBefore(parentIndex));
    return { kind: "leaf", isRepeated, dtype: "int64", parentIndex, values };
  },
};

/** Computes the position of each element within its parent, counted from the end: the last element gets -1. */
export const indexFromEndOperator: Operator = {
  op: "indexFromEnd",
  calculate(inputs): LeafNode<"int64"> {
    const { isRepeated, parentIndex } = fieldAt(inputs, 0);
    const fromEnd = new Int32Array(parentIndex.length);
    for (let at = fromEnd.length - 1; at >= 0; at--) {
      fromEnd[at] = parentIndex[at] === parentIndex[at + 1] ? fromEnd[at + 1]! - 1 : -1;
    }
    return { kind: "leaf", isRepeated, dtype: "int64", parentIndex, values: toInt64(fromEnd) };
  },
};
