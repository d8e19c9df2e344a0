import type { HostDense, HostRagged, HostStructured, HostStructuredField } from "@tfxio/tensor-adapter";
import { invalidArgument } from "@tfxio/wire/checks";
import { parentsOfSplits, rowSplitsOf } from "../prensor/joins.js";
import { type LeafNode, numElements, type PrensorNode, type RootNode } from "../prensor/nodes.js";
import { countingUp } from "../prensor/positions.js";
import { assertPrensor, Prensor } from "../prensor/prensor.js";
import { type Step } from "../path/path.js";
import { assertAscending } from "./ragged.js";

/**
 * Converts a prensor to a structured tensor. Messages become lists of structs, and leaves become ragged fields. Optional fields
 * become lists too, so their cardinality is lost. Borrows the values.
 * @throws {ConversionError} `not-convertible` (`parent-order`) if parent indices do not ascend.
 * @see struct2tensor `structured_tensor.prensor_to_structured_tensor`
 */
export function toStructuredTensor(prensor: Prensor): HostStructured {
  assertPrensor(prensor);
  return structuredOf(prensor, numElements(prensor.node), []);
}

/** @param nestedRowSplits row splits from the root to the structs of this message, outermost first. */
function structuredOf(
  { node, children }: Prensor,
  numRows: number,
  nestedRowSplits: readonly Int32Array[],
): HostStructured {
  const fields: Record<string, HostStructuredField> = {};
  for (const [step, child] of children) {
    const { parentIndex } = child.node as LeafNode;
    assertAscending(parentIndex);
    const splits = [...nestedRowSplits, rowSplitsOf(parentIndex, numElements(node))];
    fields[String(step)] =
      child.node.kind === "leaf" ? raggedField(child.node, splits) : structuredOf(child, numRows, splits);
  }
  return { kind: "structured", numRows, nestedRowSplits, fields, rowSplitsDtype: "int64" };
}

function raggedField({ dtype, values }: LeafNode, nestedRowSplits: readonly Int32Array[]): HostRagged {
  return {
    kind: "ragged",
    dtype,
    values,
    nestedRowSplits,
    innerShape: [],
    rowSplitsDtype: "int64",
    borrowed: true,
  };
}

/**
 * Converts a structured tensor to a prensor, borrowing its values. All fields of the prensor are repeated. If a field has several
 * list dimensions, the outermost becomes the field itself. Each inner dimension becomes the only child of the dimension around
 * it.
 * @param name step of each such child.
 * @throws {ArgumentError} `invalid-argument` if `structured` is not a structured tensor.
 * @see struct2tensor `structured_tensor.structured_tensor_to_prensor`
 */
export function fromStructuredTensor(structured: HostStructured, name = "data"): Prensor<RootNode> {
  if (structured?.kind !== "structured")
    throw invalidArgument("structured", "a structured tensor", structured);
  const { numRows } = structured;
  return new Prensor({ kind: "root", size: numRows } as const, fieldsOf(structured, numRows, name));
}

/** Converts the fields of structs to children. Drops the row splits of the surrounding structs from each field. */
function fieldsOf(
  { fields, nestedRowSplits }: HostStructured,
  numParents: number,
  name: string,
): readonly (readonly [Step, Prensor])[] {
  const around = nestedRowSplits.length;
  return Object.entries(fields).map(([step, field]) => {
    if (field.kind === "structured") {
      const splits = field.nestedRowSplits.slice(around);
      const numStructs = splits.at(-1)?.at(-1) ?? numParents;
      const below = fieldsOf(field, numStructs, name);
      return [
        step,
        nested(splits, numParents, name, (node) => new Prensor({ ...node, kind: "child" }, below)),
      ] as const;
    }
    const splits = field.kind === "ragged" ? field.nestedRowSplits.slice(around) : [];
    const inner = innerSplits(field, splits.at(-1)?.at(-1) ?? numParents);
    const { dtype, values } = field;
    const leaf = (node: Repeated): Prensor => new Prensor({ ...node, kind: "leaf", dtype, values });
    return [step, nested([...splits, ...inner], numParents, name, leaf)] as const;
  });
}

interface Repeated {
  readonly isRepeated: true;
  readonly parentIndex: Int32Array;
}

/**
 * Builds a field with one level of lists for each of `splits`. The outermost level is the field itself. Each inner level is a
 * child called `name`. Without row splits, each parent has exactly one element.
 */
function nested(
  splits: readonly Int32Array[],
  numParents: number,
  name: string,
  innermost: (node: Repeated) => Prensor,
): Prensor {
  const [outer, ...inner] = splits;
  const parentIndex = outer === undefined ? countingUp(numParents) : parentsOfSplits(outer);
  const node = { isRepeated: true, parentIndex } as const;
  if (inner.length === 0) return innermost(node);
  const child: PrensorNode = { ...node, kind: "child" };
  return new Prensor(child, [[name, nested(inner, parentIndex.length, name, innermost)]]);
}

/** Returns the row splits of each fixed inner dimension. All lists of a dimension have the same length. */
function innerSplits(field: HostDense | HostRagged, numLists: number): readonly Int32Array[] {
  const shape = field.kind === "dense" ? field.shape.slice(1) : field.innerShape;
  let length = numLists;
  return shape.map((extent) => {
    const splits = Int32Array.from({ length: length + 1 }, (_, list) => list * extent);
    length *= extent;
    return splits;
  });
}
