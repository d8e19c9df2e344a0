import { BytesColumn } from "@tfxio/arrow-encoding";
import type { MessageValue } from "../operators/node-value.js";
import type { LeafNode } from "../prensor/nodes.js";

/**
 * Converts payloads to messages. If a singular field occurs several times, `rule` determines whether its payloads are merged or
 * only the last one is kept. Payloads of a repeated field are borrowed.
 */
export function mergePayloads(
  { parentIndex, values }: LeafNode<"string">,
  isRepeated: boolean,
  rule: "merge" | "last",
): MessageValue {
  if (isRepeated) return { kind: "child", isRepeated, parentIndex, payloads: values };
  const parents: number[] = [];
  const payloads: Uint8Array[] = [];
  for (const [index, parent] of parentIndex.entries()) {
    const value = values.get(index);
    if (parents.at(-1) !== parent) {
      parents.push(parent);
      payloads.push(value);
    } else {
      payloads[payloads.length - 1] = rule === "last" ? value : joined(payloads.at(-1)!, value);
    }
  }
  return {
    kind: "child",
    isRepeated,
    parentIndex: Int32Array.from(parents),
    payloads: BytesColumn.from(payloads),
  };
}

/** Concatenates two serialized messages, which then parse as one merged message. */
function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
