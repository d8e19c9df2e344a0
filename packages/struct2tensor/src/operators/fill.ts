import { BytesColumn } from "@tfxio/arrow-encoding";
import { wrongField } from "../expression/errors.js";
import { addField, fieldsTo } from "../expression/find-field.js";
import { type Field, leafField } from "../expression/graph-node.js";
import type { Json } from "../expression/json.js";
import { assertConstant, bytesFromJson, constantToJson, numberFromJson } from "../functions/constants.js";
import type { Constant } from "../functions/value-function.js";
import type { Path, Step } from "../path/path.js";
import { type LeafNode, numElements } from "../prensor/nodes.js";
import { countingUp, emptyNumbers, fillBytes, storedNumber } from "../prensor/positions.js";
import { leafAt, type Operator, parentAt } from "./operator.js";

/**
 * Adds a copy of an optional field. In the copy, parents without a value get `value`.
 * @throws {SchemaError} `schema-mismatch`: `not-a-leaf`, `cardinality` for a repeated field.
 * @throws {ArgumentError} `invalid-argument` if `value` does not fit the type of the field.
 */
export function fill(root: Field, path: Path, value: Constant, as: Step): Field {
  const fields = fieldsTo(root, path);
  const { node } = fields.at(-1)!;
  const { type } = node;
  if (type.kind !== "leaf") throw wrongField("not-a-leaf", path, "a leaf", type);
  if (type.isRepeated) throw wrongField("cardinality", path, "optional", type);
  assertConstant("value", value, type.dtype);
  const json = constantToJson(value);
  const inputs = [fields.at(-2)!.node, node];
  return addField(root, path.parent(), as, leafField({ op: "fill", attrs: { value: json }, inputs, type }));
}

/** Computes a leaf with exactly one value per parent: the original value, or the fill value. */
export const fillOperator: Operator = {
  op: "fill",
  calculate(inputs, { attrs }): LeafNode {
    const numParents = numElements(parentAt(inputs, 0));
    const { parentIndex, dtype, values } = leafAt(inputs, 1);
    const { value } = attrs as { readonly value: Json };
    const common = { kind: "leaf", isRepeated: false, parentIndex: countingUp(numParents), dtype } as const;
    if (values instanceof BytesColumn) {
      return { ...common, values: fillBytes(values, parentIndex, numParents, bytesFromJson(value)) };
    }
    const filled = emptyNumbers(dtype as "float64", numParents);
    filled.fill(storedNumber(numberFromJson(value, dtype), dtype) as number);
    const from = values as Float64Array;
    for (let index = 0; index < from.length; index++) filled[parentIndex[index]!] = from[index]!;
    return { ...common, values: filled };
  },
};
