import type { DType, HostArrays } from "@tfxio/tensor-adapter";
import { unusable, wrongField } from "../expression/errors.js";
import { shapeMismatch } from "../prensor/shape-mismatch.js";
import { addField, fieldAtPath } from "../expression/find-field.js";
import { type Field, type GraphNode, leafField } from "../expression/graph-node.js";
import type { Json } from "../expression/json.js";
import { functionType, isValueFunction, specOfFunction } from "../functions/registry.js";
import type { ValueFunction } from "../functions/value-function.js";
import type { Path, Step } from "../path/path.js";
import { areEqual } from "../prensor/joins.js";
import type { LeafNode } from "../prensor/nodes.js";
import { callBack, checkedValues } from "./callback.js";
import { leafAt, type Operator } from "./operator.js";

/**
 * A callback that receives the values of each field as one argument, and returns as many values as each field has. Strings are a
 * `BytesColumn`. The values may borrow buffers of the batch, so do not write to them.
 */
export type ValuesCallback = (...values: readonly HostArrays[DType][]) => HostArrays[DType];

/** A function and its result type. The type is required for a callback. */
export interface MapFunction<Callback> {
  readonly fn: ValueFunction | Callback;
  readonly dtype: DType | undefined;
}

/**
 * Adds a field computed from the values of fields with the same parents. The result has the same parents too.
 * @throws {SchemaError} `schema-mismatch`: `not-a-leaf`, `cardinality`, `function-input`.
 * @throws {ArgumentError} `invalid-argument`: `no-fields`, `root-map`, `dtype`.
 * @throws {ConversionError} `shape-mismatch` (`expression-shape`) when the query runs, unless the fields have the same parent
 *   indices and the function returns one result for each value.
 */
export function mapFieldValues(
  root: Field,
  paths: readonly Path[],
  as: Step,
  given: MapFunction<ValuesCallback>,
): Field {
  if (paths.length === 0) throw unusable("no-fields", "mapManyValues needs at least one field.", "fields");
  if (paths.some((path) => path.length === 0)) throw unusable("root-map", "The root has no values to map.");
  const nodes = paths.map((path) => leafNodeAt(root, path));
  const [first] = nodes;
  const { isRepeated } = first!.type as LeafNode;
  for (const [index, { type }] of nodes.entries()) {
    if ((type as LeafNode).isRepeated !== isRepeated) {
      throw wrongField(
        "cardinality",
        paths[index]!,
        `${isRepeated ? "repeated" : "optional"} like the first field`,
        type,
      );
    }
  }
  const { fn } = given;
  const dtype = resultType(given, nodes);
  const attrs = isValueFunction(fn) ? functionAttrs(fn) : { dtype };
  const node: GraphNode = {
    op: "mapFieldValues",
    attrs,
    inputs: nodes,
    type: { kind: "leaf", isRepeated, dtype },
    ...(!isValueFunction(fn) && { callback: fn }),
  };
  return addField(root, paths[0]!.parent(), as, leafField(node));
}

/** Returns the attributes of a node that calls a built-in function. */
export function functionAttrs({ name, args }: ValueFunction): { readonly fn: Json } {
  return { fn: { name, args } };
}

/**
 * Returns the result type. For callbacks it is `dtype`. For built-in functions it is derived, and `dtype`, if given, must match.
 * @throws {ArgumentError} `invalid-argument` (`dtype`). Also throws the errors of `functionType`.
 */
export function resultType({ fn, dtype }: MapFunction<unknown>, inputs: readonly GraphNode[]): DType {
  if (!isValueFunction(fn)) {
    if (dtype === undefined)
      throw unusable("dtype", "dtype, the type of the result, must be given for a callback.", "dtype");
    return dtype;
  }
  const found = functionType(
    fn,
    inputs.map(({ type }) => (type as LeafNode).dtype),
  );
  if (dtype === undefined || dtype === found) return found;
  throw unusable(
    "dtype",
    `dtype must be ${found}, the type that the function "${fn.name}" returns for these fields, found ${dtype}.`,
    "dtype",
  );
}

/** Returns the node of a leaf. @throws {SchemaError} `schema-mismatch` (`not-a-leaf`). */
function leafNodeAt(root: Field, path: Path): GraphNode {
  const { node } = fieldAtPath(root, path);
  if (node.type.kind !== "leaf") throw wrongField("not-a-leaf", path, "a leaf", node.type);
  return node;
}

/** Applies the function of a node to its inputs, which have the same length. */
export function applyFunction(node: GraphNode, inputs: readonly LeafNode[], dtype: DType): HostArrays[DType] {
  const { fn } = node.attrs as { readonly fn?: ValueFunction };
  const { length } = inputs[0]!.parentIndex;
  if (fn !== undefined) return specOfFunction(fn).apply(inputs, fn.args, length);
  const given = callBack(
    node,
    inputs.map(({ values }) => values),
  );
  return checkedValues(given, dtype, { length, op: node.op });
}

/** Computes a leaf from the values of leaves that share their parents. */
export const mapFieldValuesOperator: Operator = {
  op: "mapFieldValues",
  calculate(inputs, node): LeafNode {
    const leaves = inputs.map((_, index) => leafAt(inputs, index));
    const { parentIndex, rowSplits, isRepeated } = leaves[0]!;
    const other = leaves.find((leaf) => !areEqual(leaf.parentIndex, parentIndex));
    if (other !== undefined) {
      throw shapeMismatch(
        `The fields of mapManyValues must have the same parent indices, found ${parentIndex.length} and ${other.parentIndex.length} values whose parents do not match.`,
      );
    }
    const { dtype } = node.type as LeafNode;
    const values = applyFunction(node, leaves, dtype);
    return { kind: "leaf", isRepeated, parentIndex, rowSplits, dtype, values };
  },
};
