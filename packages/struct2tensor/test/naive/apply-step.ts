import { BytesColumn } from "@tfxio/arrow-encoding";
import {
  type Expression,
  Path,
  type RaggedCallback,
  type ValueFunction,
  valueFunctions,
} from "@tfxio/struct2tensor";
import type { Step, ValueFunctionName } from "./interpreter.js";

const functions: Readonly<Record<ValueFunctionName, ValueFunction>> = {
  isPositive: valueFunctions.greater(0),
  negate: valueFunctions.negate(),
  not: valueFunctions.not(),
  length: valueFunctions.length(),
  toInt64: valueFunctions.cast("int64"),
};

/** Applies a step with the package's own operator. */
export function applyStep(e: Expression, step: Step): Expression {
  const pathOf = (steps: readonly string[]): Path => Path.of(steps);
  switch (step.op) {
    case "project":
      return e.project(step.paths.map(pathOf));
    case "limitDepth":
      return e.limitDepth(step.depth);
    case "promote":
      return e.promote(pathOf(step.path), step.as);
    case "broadcast":
      return e.broadcast(pathOf(step.path), step.sibling, step.as);
    case "promoteAndBroadcast":
      return e.promoteAndBroadcast({ [step.as]: pathOf(step.path) }, pathOf(step.dest));
    case "slice":
      return e.slice(pathOf(step.path), step.as, { begin: step.begin, end: step.end });
    case "size":
      return e.size(pathOf(step.path), step.as);
    case "has":
      return e.hasAny(pathOf(step.path), step.as);
    case "positionalIndex":
      return e.positionalIndex(pathOf(step.path), step.as);
    case "indexFromEnd":
      return e.indexFromEnd(pathOf(step.path), step.as);
    case "copy":
      return e.addPaths({ [[...step.path.slice(0, -1), step.as].join(".")]: pathOf(step.path) });
    case "filterByChild":
      return e.filterByChild(pathOf(step.path), step.child, step.as);
    case "filterBySibling":
      return e.filterBySibling(pathOf(step.path), step.sibling, step.as);
    case "reroot":
      return e.reroot(pathOf(step.path));
    case "protoIndex":
      return e.protoIndex(step.as);
    case "map":
      return e.mapFieldValues(pathOf(step.path), functions[step.fn], { as: step.as });
    case "addValues": {
      const fields = [step.path.at(-1)!, step.other];
      return e.mapManyValues(pathOf(step.path.slice(0, -1)), fields, valueFunctions.add(), { as: step.as });
    }
    case "sparseAddSame": {
      const fields = [step.path.at(-1)!, step.other];
      const type = e.typeOf(pathOf(step.path));
      const isRepeated = type.kind === "leaf" && type.isRepeated;
      const parent = pathOf(step.path.slice(0, -1));
      return e.mapSparseTensors(parent, fields, valueFunctions.add(), { as: step.as, isRepeated });
    }
    case "rowSum":
      return e.mapRaggedTensors(pathOf(step.parent), [pathOf(step.below)], rowSum, {
        as: step.as,
        dtype: "int64",
        isRepeated: false,
      });
    case "fill":
      return e.fill(pathOf(step.path), -7n, step.as);
    case "first":
      return e.transformField(pathOf(step.path), step.as, ({ parentIndex, payloads }) => {
        const kept = [...parentIndex.keys()].filter((index) => parentIndex[index] !== parentIndex[index - 1]);
        return {
          parentIndex: Int32Array.from(kept, (index) => parentIndex[index]!),
          payloads: BytesColumn.from(kept.map((index) => payloads.get(index))),
        };
      });
    default:
      throw new Error("no such step");
  }
}

const rowSum: RaggedCallback = (tensor) => {
  const [splits] = tensor.nestedRowSplits as readonly [Int32Array];
  const values = tensor.values as BigInt64Array;
  const sums = new BigInt64Array(splits.length - 1);
  for (let row = 0; row < sums.length; row++) {
    for (let at = splits[row]!; at < splits[row + 1]!; at++) sums[row]! += values[at]!;
  }
  return {
    ...tensor,
    values: sums,
    nestedRowSplits: [Int32Array.from({ length: splits.length }, (_, row) => row)],
  };
};
