import { tuple } from "@tfxio/dataset";
import type { HostSparse } from "@tfxio/tensor-adapter";
import { NotBuiltYet } from "../outcome.js";
import type { FunctionJson } from "./vector.js";

function sparseVector(length: number, values: BigInt64Array): HostSparse {
  const indices = Int32Array.from(values.keys());
  return { kind: "sparse", dtype: "int64", indices, values, denseShape: [length], borrowed: false };
}

const copies = (x: bigint): bigint[] => Array.from({ length: Number(x) }, () => x);

/** Functions on int64 scalars; parameters are numbers in vectors and bigints here. */
const onIntegers: Readonly<Record<string, (x: bigint, parameters: FunctionJson) => unknown>> = {
  square: (x) => x * x,
  addConst: (x, { value = 0 }) => x + BigInt(value),
  mulConst: (x, { value = 0 }) => x * BigInt(value),
  mod: (x, { by = 1 }) => x % BigInt(by),
  intDiv: (x, { by = 1 }) => x / BigInt(by),
  fill: copies,
  fillStr: (x) => copies(x).map(String),
  fillTuple: (x) => tuple(x, copies(x)),
  fillDict: (x) => ({ v: x, seq: copies(x) }),
  rangeVec: (x) => copies(x).map((_copy, index) => BigInt(index)),
  fillSquare: (x) => copies(x).map(() => copies(x)),
  fillRows2: (x) => copies(x).map(() => [x, x]),
  fillCols2: (x) => [copies(x), copies(x)],
  pair: (x) => tuple(x, 10n * x),
  dict: (x) => ({ a: x, b: x + 100n }),
  sparseSelf: (x) => sparseVector(1, BigInt64Array.of(x)),
  sparseFill: (x) => sparseVector(Number(x), BigInt64Array.from(copies(x))),
  isEven: (x) => x % 2n === 0n,
  lt: (x, { value = 0 }) => x < BigInt(value),
  ne: (x, { value = 0 }) => x !== BigInt(value),
  failIf: (x, { values = [] }) => {
    if (values.includes(Number(x))) throw new RangeError(`told to fail for ${x}`);
    return x;
  },
};

/** The function that a vector names. */
export function functionOf(json: FunctionJson | undefined): (element: unknown) => unknown {
  const name = json?.name ?? "identity";
  if (json === undefined || name === "identity") return (element) => element;
  if (name === "const") return () => BigInt(json.value ?? 0);
  if (name === "component") return (element) => (element as readonly unknown[])[json.index ?? 0];
  const f = onIntegers[name];
  if (f === undefined) throw new NotBuiltYet(`dataset: function ${name}`);
  return (element) => f(element as bigint, json);
}
