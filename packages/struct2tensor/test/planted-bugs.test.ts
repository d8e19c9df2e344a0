import { describe, expect, test } from "@jest/globals";
import { Random } from "@tfxio/wire";
import type { MessageValue, NodeValue } from "../src/operators/node-value.js";
import type { Operator } from "../src/operators/operator.js";
import type { LeafNode } from "../src/prensor/nodes.js";
import { operators } from "../src/operators/registry.js";
import { randomSchemas, runTrial, type Schemas } from "./naive/run-trial.js";

const NUM_QUERIES = 2_000;
const schemas = randomSchemas(11, 20);

type Field = MessageValue | LeafNode;

interface Bug {
  readonly op: string;
  readonly about: string;
  /** Turns the correct result of the operator into a wrong one. */
  readonly spoil: (result: Field, inputs: readonly NodeValue[]) => Field;
}

const asParents = (input: NodeValue | undefined): Int32Array => (input as Field).parentIndex;

const bugs: readonly Bug[] = [
  {
    op: "promote",
    about: "keeps the parents instead of using the grandparents",
    spoil: (result, [own]) => ({ ...result, parentIndex: asParents(own) }),
  },
  {
    op: "promote",
    about: "forgets that the parent is repeated",
    spoil: (result, [own]) => ({ ...result, isRepeated: (own as Field).isRepeated }),
  },
  {
    op: "broadcast",
    about: "takes the fields below each copy from the wrong element",
    spoil: (result) =>
      "origin" in result ? { ...result, origin: result.origin.map((_, at) => at) } : result,
  },
  {
    op: "descend",
    about: "gives all children to the first parent",
    spoil: (result) => ({ ...result, parentIndex: result.parentIndex.map(() => 0) }),
  },
  {
    op: "slice",
    about: "loses the last element",
    spoil: (result) => withLength(result, Math.max(0, result.parentIndex.length - 1)),
  },
  {
    op: "filterByChild",
    about: "takes the fields below each kept element from the wrong element",
    spoil: (result) =>
      "origin" in result ? { ...result, origin: result.origin.map((_, at) => at) } : result,
  },
  {
    op: "filterBySibling",
    about: "loses the last element",
    spoil: (result) => withLength(result, Math.max(0, result.parentIndex.length - 1)),
  },
  {
    op: "size",
    about: "returns 1 instead of 0 for an empty parent",
    spoil: (result) =>
      ({ ...result, values: (valuesOf(result) as BigInt64Array).map((size) => size || 1n) }) as LeafNode,
  },
  {
    op: "has",
    about: "returns true even for an empty parent",
    spoil: (result) => ({ ...result, values: (valuesOf(result) as Uint8Array).fill(1) }) as LeafNode,
  },
  {
    op: "positionalIndex",
    about: "does not restart at 0 for each parent",
    spoil: (result) =>
      ({ ...result, values: (valuesOf(result) as BigInt64Array).map((_, at) => BigInt(at)) }) as LeafNode,
  },
  {
    op: "indexFromEnd",
    about: "counts back from 0 instead of -1",
    spoil: (result) =>
      ({ ...result, values: (valuesOf(result) as BigInt64Array).map((index) => index + 1n) }) as LeafNode,
  },
  {
    op: "protoIndex",
    about: "returns row numbers instead of record numbers",
    spoil: (result) =>
      ({ ...result, values: (valuesOf(result) as BigInt64Array).map((_, at) => BigInt(at)) }) as LeafNode,
  },
  {
    op: "fill",
    about: "fills with 0 instead of the given value",
    spoil: (result) =>
      ({
        ...result,
        values: (valuesOf(result) as BigInt64Array).map((value) => (value === -7n ? 0n : value)),
      }) as LeafNode,
  },
];

function valuesOf(field: Field): LeafNode["values"] {
  return (field as LeafNode).values;
}

function withLength(field: Field, length: number): Field {
  const parentIndex = field.parentIndex.subarray(0, length);
  if (field.kind === "child")
    return { ...field, parentIndex, origin: field.origin?.subarray(0, length) } as Field;
  return { ...field, parentIndex, values: field.values.subarray(0, length) };
}

describe("the comparison with the interpreter notices that", () => {
  test.each(bugs)("the operator `$op` $about", async ({ op, spoil }) => {
    const right = operators.get(op)!;
    const wrong: Operator = {
      op,
      calculate: (inputs, node) => spoil(right.calculate(inputs, node) as Field, inputs),
    };
    (operators as Map<string, Operator>).set(op, wrong);
    try {
      expect(await firstNoticed(await schemas)).toBeLessThan(NUM_QUERIES);
    } finally {
      (operators as Map<string, Operator>).set(op, right);
    }
  });
});

/** Returns the index of the first query that fails or gives a different result, or `NUM_QUERIES` if there is none. */
async function firstNoticed(drawn: Schemas): Promise<number> {
  for (let trial = 0; trial < NUM_QUERIES; trial++) {
    try {
      const { difference } = await runTrial(Random.of(13, trial), drawn);
      if (difference !== undefined) return trial;
    } catch {
      return trial;
    }
  }
  return NUM_QUERIES;
}
