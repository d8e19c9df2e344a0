import { takenPath, wrongField } from "../expression/errors.js";
import { addField, fieldsTo } from "../expression/find-field.js";
import { type Field, type GraphNode, leafField } from "../expression/graph-node.js";
import { Path, type Step } from "../path/path.js";
import { type LeafNode, numElements } from "../prensor/nodes.js";
import { countingUp, gatherPositions, toInt64 } from "../prensor/positions.js";
import { fieldAt, type Operator, parentAt } from "./operator.js";

/**
 * The messages at `path` become the root, with one row per message.
 * @throws {SchemaError} `schema-mismatch` (`reroot-leaf`) for a leaf.
 */
export function reroot(root: Field, path: Path): Field {
  if (path.length === 0) return root;
  const fields = fieldsTo(root, path);
  const field = fields.at(-1)!;
  if (field.node.type.kind === "leaf")
    throw wrongField("reroot-leaf", path, "a message to become the root", field.node.type);
  // The ancestors are inputs too, so that `protoIndex` can trace rows back to records.
  const inputs = fields.map(({ node }) => node).toReversed();
  const { payload: _, ...rest } = field;
  return { ...rest, node: { op: "reroot", attrs: {}, inputs, type: { kind: "root" } } };
}

/** Computes the new root, which has one row for each message. */
export const rerootOperator: Operator = {
  op: "reroot",
  calculate: (inputs) => ({ kind: "root", size: numElements(parentAt(inputs, 0)) }),
};

/**
 * Adds an int64 root field: the index of the input record that each row came from, traced through all reroots. Malformed records
 * that were skipped are not counted.
 */
export function protoIndex(root: Field, as: Step): Field {
  if (root.child(as) !== undefined) throw takenPath(Path.of([as], { lenient: true }));
  const type = { kind: "leaf", isRepeated: false, dtype: "int64" } as const;
  const inputs = chainToRecords(root.node);
  return addField(root, Path.of([]), as, leafField({ op: "protoIndex", attrs: {}, inputs, type }));
}

/** Returns the nodes from the current rows up to the root of the original records, through all reroots. */
function chainToRecords(root: GraphNode): readonly GraphNode[] {
  if (root.op !== "reroot") return [root];
  const messages = root.inputs.slice(0, -1);
  return [...messages, ...chainToRecords(root.inputs.at(-1)!)];
}

/** Computes the index of each row's input record, traced through all reroots. */
export const protoIndexOperator: Operator = {
  op: "protoIndex",
  calculate(inputs): LeafNode<"int64"> {
    let records = countingUp(numElements(parentAt(inputs, 0)));
    for (let level = 0; level < inputs.length - 1; level++) {
      records = gatherPositions(fieldAt(inputs, level).parentIndex, records);
    }
    return {
      kind: "leaf",
      isRepeated: false,
      dtype: "int64",
      parentIndex: countingUp(records.length),
      values: toInt64(records),
    };
  },
};
