import type { DType, HostRagged, HostSparse } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { wrongField } from "../expression/errors.js";
import { shapeMismatch } from "../prensor/shape-mismatch.js";
import { addField, fieldsTo } from "../expression/find-field.js";
import { type Field, type GraphNode, leafField } from "../expression/graph-node.js";
import { isValueFunction } from "../functions/registry.js";
import type { Path, Step } from "../path/path.js";
import { areEqual, areUnique, parentsOfSplits } from "../prensor/joins.js";
import { type LeafNode, numElements } from "../prensor/nodes.js";
import { assertAscending, raggedView } from "../views/ragged.js";
import { sparseView } from "../views/sparse.js";
import { callBack, checkedValues } from "./callback.js";
import { applyFunction, functionAttrs, type MapFunction, resultType } from "./map-field-values.js";
import { fieldAt, type Operator, parentAt } from "./operator.js";
import type { NodeValue } from "./node-value.js";

/** A callback that maps sparse tensors to one sparse tensor. All have one row per message at the parent path. */
export type SparseCallback = (...tensors: readonly HostSparse[]) => HostSparse;
/** A callback that maps ragged tensors to one ragged tensor. All have one row per message at the parent path. */
export type RaggedCallback = (...tensors: readonly HostRagged[]) => HostRagged;

/** Arguments of {@link mapTensors}: the operator, the inputs, the function, and the cardinality of the result. */
export interface MapTensors<Callback> extends MapFunction<Callback> {
  readonly op: "mapSparseTensors" | "mapRaggedTensors";
  /** Paths of the input leaves, relative to the parent. */
  readonly fields: readonly Path[];
  /** False if the result has at most one value per row. */
  readonly isRepeated: boolean;
}

/**
 * Passes fields to a function as tensors, which have one row per message at `parent`. Adds the result as a field of these
 * messages.
 * @throws {SchemaError} `schema-mismatch`: `not-a-leaf`, `function-input`.
 * @throws {ArgumentError} `invalid-argument` (`dtype`).
 * @throws {UserFunctionError} `user-function` when the query runs.
 * @throws {ConversionError} when the query runs: `shape-mismatch` (`rank`, `not-optional`, or `expression-shape` for wrong
 *   numbers of rows or values); `not-convertible` (`parent-order`) if the row indices of the result do not ascend.
 */
export function mapTensors(
  root: Field,
  parent: Path,
  as: Step,
  map: MapTensors<SparseCallback | RaggedCallback>,
): Field {
  const { fn, fields, isRepeated, op } = map;
  const parents = fieldsTo(root, parent).at(-1)!;
  const chains = fields.map((path) => {
    const chain = fieldsTo(parents, path).slice(1);
    const last = chain.at(-1)?.node ?? parents.node;
    if (last.type.kind !== "leaf") throw wrongField("not-a-leaf", parent.join(path), "a leaf", last.type);
    return chain.map(({ node }) => node);
  });
  const dtype = resultType(
    map,
    chains.map((chain) => chain.at(-1)!),
  );
  const depths = chains.map(({ length }) => length);
  const node: GraphNode = {
    op,
    attrs: { depths, isRepeated, ...(isValueFunction(fn) ? functionAttrs(fn) : { dtype }) },
    inputs: [parents.node, ...chains.flat()],
    type: { kind: "leaf", isRepeated, dtype },
    ...(!isValueFunction(fn) && { callback: fn }),
  };
  return addField(root, parent, as, leafField(node));
}

/** The number of rows, and for each input tensor the fields on the path to its leaf, without the common parent. */
interface TensorInputs {
  readonly size: number;
  readonly chains: readonly (readonly LeafNode[])[];
}

/**
 * Groups the inputs of a node by tensor. The first input is the parent. For each tensor, the attribute `depths`
 * holds the number of fields on the path from the parent to the tensor's leaf.
 */
function tensorInputs(inputs: readonly NodeValue[], { attrs }: GraphNode): TensorInputs {
  const { depths } = attrs as { readonly depths: readonly number[] };
  let at = 1;
  const chains = depths.map((depth) => {
    const chain = Array.from({ length: depth }, (_, level) => fieldAt(inputs, at + level) as LeafNode);
    at += depth;
    return chain;
  });
  return { size: numElements(parentAt(inputs, 0)), chains };
}

/** Computes a leaf from the sparse tensors of the input fields. Each element of the common parent is a row. */
export const mapSparseTensorsOperator: Operator = {
  op: "mapSparseTensors",
  calculate(inputs, node): LeafNode {
    const { size, chains } = tensorInputs(inputs, node);
    const tensors = chains.map((chain) => sparseView(size, chain));
    const { dtype, isRepeated } = node.type as LeafNode;
    const result =
      node.callback === undefined
        ? elementwise(node, tensors, chains, dtype)
        : (callBack(node, tensors) as HostSparse);
    const rank = isRepeated ? 2 : 1;
    assertRank(result?.denseShape?.length, rank, node);
    assertRows(result.denseShape[0]!, size, node);
    const values = checkedValues(result.values, dtype, { length: result.indices.length / rank, op: node.op });
    const parentIndex = new Int32Array(values.length);
    for (let index = 0; index < parentIndex.length; index++)
      parentIndex[index] = result.indices[index * rank]!;
    assertAscending(parentIndex);
    const [least, greatest] = [parentIndex.at(0) ?? 0, parentIndex.at(-1) ?? -1];
    if (least < 0) throw outsideRows(least, size, node);
    if (greatest >= size) throw outsideRows(greatest, size, node);
    if (!isRepeated && !areUnique(parentIndex)) throw notOptional(node);
    return { kind: "leaf", isRepeated, parentIndex, dtype, values };
  },
};

/** Applies a built-in function to the values of sparse tensors. All tensors must have values at the same positions. */
function elementwise(
  node: GraphNode,
  tensors: readonly HostSparse[],
  chains: TensorInputs["chains"],
  dtype: DType,
): HostSparse {
  const [first] = tensors as [HostSparse];
  if (tensors.some(({ indices }) => !areEqual(indices, first.indices))) {
    throw shapeMismatch(`The tensors of ${node.op} must have values at the same positions.`);
  }
  const leaves = chains.map((chain) => chain.at(-1)!);
  return { ...first, dtype, values: applyFunction(node, leaves, dtype) };
}

/** Computes a leaf from the ragged tensors of the input fields. Each element of the common parent is a row. */
export const mapRaggedTensorsOperator: Operator = {
  op: "mapRaggedTensors",
  calculate(inputs, node): LeafNode {
    const { size, chains } = tensorInputs(inputs, node);
    const tensors = chains.map((chain) => raggedView(size, chain));
    const { dtype, isRepeated } = node.type as LeafNode;
    const result =
      node.callback === undefined
        ? elementwiseRagged(node, tensors, chains, dtype)
        : (callBack(node, tensors) as HostRagged);
    assertRank((result?.nestedRowSplits?.length ?? 0) + 1, 2, node);
    const [splits] = result.nestedRowSplits as readonly [Int32Array];
    assertRows(splits.length - 1, size, node);
    const values = checkedValues(result.values, dtype, { length: splits.at(-1)!, op: node.op });
    const parentIndex = parentsOfSplits(splits);
    if (!isRepeated && !areUnique(parentIndex)) throw notOptional(node);
    return { kind: "leaf", isRepeated, parentIndex, dtype, values };
  },
};

/** Applies a built-in function to the values of ragged tensors. All tensors must have the same row splits. */
function elementwiseRagged(
  node: GraphNode,
  tensors: readonly HostRagged[],
  chains: TensorInputs["chains"],
  dtype: DType,
): HostRagged {
  const [first] = tensors as [HostRagged];
  for (const { nestedRowSplits } of tensors) {
    const areAlike =
      nestedRowSplits.length === first.nestedRowSplits.length &&
      nestedRowSplits.every((splits, level) => areEqual(splits, first.nestedRowSplits[level]!));
    if (!areAlike) throw shapeMismatch(`The tensors of ${node.op} must have rows of the same lengths.`);
  }
  const leaves = chains.map((chain) => chain.at(-1)!);
  return { ...first, dtype, values: applyFunction(node, leaves, dtype) };
}

function outsideRows(row: number, size: number, { op }: GraphNode): ConversionError {
  return shapeMismatch(
    `The rows of the result of ${op} must be in [0, ${size}), found a value in row ${row}.`,
  );
}

function notOptional({ op }: GraphNode): ConversionError {
  const message = `The result of ${op} is declared optional, so each row must have at most one value.`;
  return new ConversionError("shape-mismatch", message, { reason: "not-optional" });
}

function assertRank(found: number | undefined, expected: number, { op }: GraphNode): void {
  if (found === expected) return;
  throw new ConversionError(
    "shape-mismatch",
    `The result of ${op} must have rank ${expected}, found ${found ?? "no denseShape"}.`,
    {
      reason: "rank",
    },
  );
}

function assertRows(found: number, expected: number, { op }: GraphNode): void {
  if (found !== expected)
    throw shapeMismatch(`The result of ${op} must have ${expected} rows, found ${found}.`);
}
