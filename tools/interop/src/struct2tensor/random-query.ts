import type { QueryStep } from "@tfxio-tools/conformance/struct2tensor/apply-step";
import { type Expression, type FieldType, Path } from "@tfxio/struct2tensor";
import type { DType } from "@tfxio/tensor-adapter";
import type { Random } from "@tfxio/wire";
import { pick } from "./random-type.js";

/** A field of an expression that a step may use. */
interface Candidate {
  readonly path: Path;
  readonly type: FieldType;
}

/** Returns all known fields, and those of `asked` that the expression has: map values, extensions and contents of an Any. */
function candidatesOf(expression: Expression, asked: readonly string[]): readonly Candidate[] {
  const known = expression.knownPaths().map(({ path }) => path);
  const others = asked.filter((path) => expression.has(path)).map((path) => Path.parse(path));
  return [...known, ...others]
    .filter(({ length }) => length > 0)
    .map((path) => ({ path, type: expression.typeOf(path) as FieldType }));
}

/** The input for drawing a step. `any` is a random field. */
interface Draw {
  readonly random: Random;
  /** Name of the field that the step adds. */
  readonly as: string;
  readonly any: Candidate;
  readonly leaves: readonly Candidate[];
  readonly messages: readonly Candidate[];
  readonly fields: readonly Candidate[];
}

type DrawStep = (draw: Draw) => Omit<QueryStep, "op"> | undefined;

/**
 * Draws one operator with random arguments, most of which are valid. Returns undefined if no field suits the drawn operator.
 * The option `asked` lists the paths of fields that exist only if a query names them. The option `isFirst` allows the operator
 * `transformField`, which must be the first step because it needs serialized messages.
 */
export function randomStep(
  random: Random,
  expression: Expression,
  {
    asked,
    as,
    isFirst,
  }: { readonly asked: readonly string[]; readonly as: string; readonly isFirst: boolean },
): QueryStep | undefined {
  const fields = candidatesOf(expression, asked);
  if (fields.length === 0) return undefined;
  const leaves = fields.filter(({ type }) => type.kind === "leaf");
  const messages = fields.filter(({ type }) => type.kind === "child");
  const op = isFirst && random.below(6) === 0 ? "transformField" : pick(random, operators);
  const drawn = steps[op]!({ random, as, any: pick(random, fields), leaves, messages, fields });
  return drawn && { op, ...drawn };
}

const besideSelf: DrawStep = ({ any, as }) => ({ path: `${any.path}`, as });

const steps: Readonly<Record<string, DrawStep>> = {
  promote: besideSelf,
  size: besideSelf,
  has: besideSelf,
  positionalIndex: besideSelf,
  indexFromEnd: besideSelf,
  broadcast: ({ random, any, as, messages }) => {
    const sibling = oneOf(random, siblingsOf(any, messages));
    return sibling && { path: `${any.path}`, sibling: nameOf(sibling), as };
  },
  promoteAndBroadcast: ({ random, any, as, messages }) => ({
    fields: { [as]: `${any.path}` },
    dest: `${oneOf(random, messages)?.path ?? ""}`,
  }),
  slice: ({ random, any, as }) => {
    const [begin, end] = [random.below(5) - 2, random.below(5) - 2];
    const bounds = pick(random, [{ begin }, { end }, { begin, end }]);
    return { path: `${any.path}`, as, ...bounds };
  },
  truncate: ({ random, any, as }) => ({ path: `${any.path}`, as, limit: random.below(3) }),
  filterByChild: ({ random, as, leaves }) => {
    const mask = oneOf(
      random,
      leaves.filter(({ path, type }) => isOf(type, ["bool"]) && !type.isRepeated && path.length > 1),
    );
    return mask && { path: `${mask.path.parent()}`, child: nameOf(mask), as };
  },
  filterBySibling: ({ random, any, as, leaves }) => {
    const mask = oneOf(
      random,
      siblingsOf(any, leaves).filter(({ type }) => isOf(type, ["bool"])),
    );
    return mask && { path: `${any.path}`, sibling: nameOf(mask), as };
  },
  reroot: ({ random, messages }) => {
    const message = oneOf(random, messages);
    return message && { path: `${message.path}` };
  },
  protoIndex: ({ as }) => ({ as }),
  limitDepth: ({ random }) => ({ depth: 1 + random.below(4) }),
  project: ({ random, fields }) => {
    const paths = fields.filter(() => random.below(2) === 0).map(({ path }) => `${path}`);
    return paths.length === 0 ? undefined : { paths };
  },
  addPaths: ({ any, as }) => ({ copies: { [`${any.path.parent().child(as)}`]: `${any.path}` } }),
  mapFieldValues: ({ random, as, leaves }) => {
    const leaf = oneOf(random, leaves);
    return leaf && { path: `${leaf.path}`, as, ...functionOf(random, leaf) };
  },
  mapManyValues: ({ random, as, leaves }) => {
    const first = oneOf(
      random,
      leaves.filter(({ type }) => isOf(type, ["int32", "int64", "float32", "float64"])),
    );
    if (first?.type.kind !== "leaf") return undefined;
    const { dtype, isRepeated } = first.type;
    const others = [first, ...siblingsOf(first, leaves)].filter(
      ({ type }) => isOf(type, [dtype]) && type.isRepeated === isRepeated,
    );
    const fields = [nameOf(first), nameOf(pick(random, others))];
    return { parent: `${first.path.parent()}`, fields, fn: { name: "add" }, dtype, as };
  },
  mapSparse: (draw) => mapTensors(draw),
  mapRagged: (draw) => mapTensors(draw),
  transformField: ({ random, as, messages }) => {
    // Fields in an Any, an extension or a map cannot be transformed, so only plain paths are drawn.
    const plain = messages.filter(({ path }) => path.steps.every((step) => /^\w+$/u.test(String(step))));
    const message = oneOf(random, plain);
    const name = pick(random, ["keepFirstPerParent", "reverseValues"]);
    return message && { path: `${message.path}`, as, fn: { name } };
  },
};

/** Names of the operators that every step may draw. Four operators appear twice: they add fields that later operators can use. */
const operators: readonly string[] = [
  ...Object.keys(steps).filter((op) => op !== "transformField"),
  "promote",
  "broadcast",
  "promoteAndBroadcast",
  "slice",
];

/** Names of all operators. A run must draw each of them. */
export const allOperators: readonly string[] = Object.keys(steps);

function mapTensors({ random, as, leaves }: Draw): Omit<QueryStep, "op"> | undefined {
  const leaf = oneOf(
    random,
    leaves.filter(({ type }) => isOf(type, ["int32", "int64", "float32", "float64"])),
  );
  if (leaf?.type.kind !== "leaf") return undefined;
  const { dtype, isRepeated } = leaf.type;
  const isSum = isOf(leaf.type, ["int32", "int64"]) && isRepeated && random.below(2) === 0;
  const fn = isSum ? { name: "rowSum" } : { name: "mul", args: [3] };
  const common = { parent: `${leaf.path.parent()}`, fields: [nameOf(leaf)], fn, dtype, as };
  return { ...common, repeated: isRepeated };
}

/** Draws a function and its result type. Our code and the script that runs struct2tensor define the function in the same way. */
function functionOf(random: Random, { type }: Candidate): Pick<QueryStep, "fn" | "dtype"> {
  const { dtype } = type as { readonly dtype: DType };
  if (dtype === "string") return { fn: { name: "length" }, dtype: "int32" };
  if (dtype === "bool") {
    return pick(random, [
      { fn: { name: "not" }, dtype: "bool" },
      { fn: { name: "cast", args: ["int64"] }, dtype: "int64" },
    ]);
  }
  // This type represents every value of `dtype` exactly, except for uint64, which is not cast.
  const wider: DType = dtype.startsWith("float") ? "float64" : "int64";
  const cast = dtype === "uint64" ? [] : [{ fn: { name: "cast", args: [wider] }, dtype: wider }];
  return pick(random, [
    ...cast,
    { fn: { name: "greater", args: [2] }, dtype: "bool" },
    { fn: { name: "mul", args: [3] }, dtype },
  ]);
}

function isOf(type: FieldType, dtypes: readonly DType[]): boolean {
  return type.kind === "leaf" && dtypes.includes(type.dtype);
}

function siblingsOf({ path }: Candidate, candidates: readonly Candidate[]): readonly Candidate[] {
  const parent = `${path.parent()}`;
  return candidates.filter((other) => `${other.path.parent()}` === parent);
}

function nameOf({ path }: Candidate): string {
  return String(path.last());
}

function oneOf<T>(random: Random, items: readonly T[]): T | undefined {
  return items.length === 0 ? undefined : pick(random, items);
}
