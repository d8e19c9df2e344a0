import { BytesColumn } from "@tfxio/arrow-encoding";
import { wrongField } from "../expression/errors.js";
import { shapeMismatch } from "../prensor/shape-mismatch.js";
import { addField, fieldAtPath } from "../expression/find-field.js";
import type { Field, GraphNode } from "../expression/graph-node.js";
import type { Path, Step } from "../path/path.js";
import { areUnique } from "../prensor/joins.js";
import { numElements } from "../prensor/nodes.js";
import { assertAscending } from "../views/ragged.js";
import { callBack, checkedValues } from "./callback.js";
import { messageAt, type Operator, parentAt } from "./operator.js";
import type { MessageValue } from "./node-value.js";

/** Serialized messages of a batch, each with the position of its parent. */
export interface Payloads {
  /** Position of the parent of each payload, int32. Must never decrease. */
  readonly parentIndex: Int32Array;
  /** The serialized messages, one for each entry of `parentIndex`. */
  readonly payloads: BytesColumn;
}

/** A callback that maps serialized messages to serialized messages. It may return fewer or more messages than it receives. */
export type PayloadCallback = (messages: Payloads) => Payloads;

/**
 * Adds a copy of a message field. `fn` transforms its serialized messages before they are decoded. If the copy is transformed
 * again, the second function receives the messages that `fn` returned.
 * @throws {SchemaError} `schema-mismatch` (`not-a-proto-message`) unless the field is a plain message field of a protobuf source,
 *   or a transform of one.
 * @throws {UserFunctionError} `user-function` when the query runs.
 * @throws {ConversionError} when the query runs: `shape-mismatch` (`expression-shape`) unless the function returns one valid
 *   parent for each payload, and at most one payload for each parent of an optional field; `not-convertible` (`parent-order`) if
 *   the parents do not ascend.
 */
export function transformField(root: Field, path: Path, as: Step, fn: PayloadCallback): Field {
  const field = fieldAtPath(root, path);
  const { type } = field.node;
  if (field.payload === undefined || type.kind !== "child") {
    const expected =
      "an ordinary message field of a protobuf source (not a group, map, extension or computed message)";
    throw wrongField("not-a-proto-message", path, expected, type);
  }
  const payload = field.payload();
  const node: GraphNode = {
    op: "transform",
    attrs: {},
    inputs: [payload.node, fieldAtPath(root, path.parent()).node],
    type,
    callback: fn,
  };
  return addField(root, path.parent(), as, payload.read(node));
}

/** Computes transformed payloads by calling the function with parent indices and serialized messages. */
export const transformOperator: Operator = {
  op: "transform",
  calculate(inputs, node): MessageValue {
    const { parentIndex, payloads } = messageAt(inputs, 0);
    const given = callBack(node, [{ parentIndex, payloads }]) as Payloads;
    const values = checkedValues(given?.payloads, "string", { op: node.op });
    const parents = checkedValues(given.parentIndex, "int32", { op: node.op });
    if (parents.length !== values.length) {
      throw shapeMismatch(
        `The function of transform must return one parent for each payload, found ${values.length} payloads and ${parents.length} parents.`,
      );
    }
    assertAscending(parents);
    const numParents = numElements(parentAt(inputs, 1));
    // The parents ascend, so checking the first and the last is enough.
    if (parents.length > 0 && (parents[0]! < 0 || parents.at(-1)! >= numParents)) {
      throw shapeMismatch(
        `Parents returned by the function of transform must be at least 0 and below ${numParents}, the number of parent ` +
          `messages, found ${parents[0]! < 0 ? parents[0] : parents.at(-1)}.`,
      );
    }
    const { isRepeated } = node.type as MessageValue;
    if (!isRepeated && !areUnique(parents)) {
      throw shapeMismatch(
        "The function of transform must return at most one payload for each parent of an optional field.",
      );
    }
    return { kind: "child", isRepeated, parentIndex: parents, payloads: values };
  },
};
