import type { DType } from "@tfxio/tensor-adapter";
import type { Random } from "@tfxio/wire";
import type { Batch, Element, Shape } from "./data.js";
import type { Step, ValueFunctionName } from "./interpreter.js";

const NAMES = ["a", "b", "c", "d", "e"];
const DTYPES: readonly DType[] = ["int32", "int64", "bool", "string", "float64"];

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

/** Draws the shape of a message with two to four fields. The deeper a field is, the less likely it is to be a message. */
export function randomShape(random: Random, depth = 0): Shape {
  const fields = new Map<string, Shape>();
  const numFields = 2 + random.below(3);
  for (const name of NAMES.slice(0, numFields)) {
    const isMessage = depth < 3 && random.below(5) < 3 - depth;
    const shape = isMessage
      ? randomShape(random, depth + 1)
      : { dtype: pick(random, DTYPES), fields: new Map() };
    fields.set(name, { ...shape, isRepeated: random.below(2) === 0 });
  }
  return { isRepeated: true, fields };
}

/** Draws zero to four rows of a shape. */
export function randomBatch(random: Random, shape: Shape): Batch {
  return { shape, rows: Array.from({ length: random.below(5) }, () => randomElement(random, shape)) };
}

function randomElement(random: Random, { dtype, fields }: Shape): Element {
  if (dtype !== undefined) return { value: randomValue(random, dtype), fields: new Map() };
  const entries = [...fields].map(([name, field]): [string, Element[]] => {
    const length = random.below(field.isRepeated ? 4 : 2);
    return [name, Array.from({ length }, () => randomElement(random, field))];
  });
  return { fields: new Map(entries) };
}

function randomValue(random: Random, dtype: DType): NonNullable<Element["value"]> {
  const number = random.below(200) - 100;
  if (dtype === "bool") return number > 0;
  if (dtype === "string") return pick(random, ["", "x", "ab", "long word", "\u0000\u00ff"]);
  if (dtype === "int64") return BigInt(number) * (random.below(4) === 0 ? 2n ** 56n : 1n);
  return dtype === "float64" ? number / 4 : number;
}

/** A field and its path. */
interface Placed {
  readonly path: readonly string[];
  readonly shape: Shape;
}

/** Returns all fields below the root. */
export function allFields({ fields }: Shape, above: readonly string[] = []): readonly Placed[] {
  return [...fields].flatMap(([name, shape]) => {
    const path = [...above, name];
    return [{ path, shape }, ...allFields(shape, path)];
  });
}

/**
 * Draws a step that the shape allows. Returns undefined if the shape has no fields, or if the drawn operator, field and bounds
 * form no valid step. Also returns undefined for most draws of `limitDepth` and `project`, so that they stay rare.
 */
export function randomStep(random: Random, shape: Shape, as: string): Step | undefined {
  const fields = allFields(shape);
  if (fields.length === 0) return undefined;
  const any = pick(random, fields);
  const leaves = fields.filter(({ shape: { dtype } }) => dtype !== undefined);
  const messages = fields.filter(({ shape: { dtype } }) => dtype === undefined);
  const siblings = ({ path }: Placed): readonly Placed[] =>
    fields.filter(
      (other) =>
        other.path.length === path.length && path.slice(0, -1).every((step, i) => other.path[i] === step),
    );
  const op = pick(random, OPERATORS);
  switch (op) {
    case "promote": {
      const { path } = any;
      return path.length < 2 ? undefined : { op, path, as };
    }
    case "broadcast": {
      const targets = siblings(any).filter(({ shape: { dtype } }) => dtype === undefined);
      if (targets.length === 0) return undefined;
      return { op, path: any.path, sibling: pick(random, targets).path.at(-1)!, as };
    }
    case "promoteAndBroadcast": {
      const destinations = [[], ...messages.map(({ path }) => path)];
      return { op, path: any.path, dest: pick(random, destinations), as };
    }
    case "slice": {
      const bound = (): number | undefined => (random.below(3) === 0 ? undefined : random.below(7) - 3);
      const bounds = { begin: bound(), end: bound() };
      if (bounds.begin === undefined && bounds.end === undefined) return undefined;
      return { op, path: any.path, ...bounds, as };
    }
    case "size":
    case "has":
    case "positionalIndex":
    case "indexFromEnd":
    case "copy":
      return { op, path: any.path, as };
    case "filterByChild": {
      const masks = leaves.filter(
        ({ path, shape: { dtype, isRepeated } }) => dtype === "bool" && !isRepeated && path.length > 1,
      );
      if (masks.length === 0) return undefined;
      const { path } = pick(random, masks);
      return { op, path: path.slice(0, -1), child: path.at(-1)!, as };
    }
    case "filterBySibling": {
      const masks = siblings(any).filter(({ shape: { dtype } }) => dtype === "bool");
      return masks.length === 0
        ? undefined
        : { op, path: any.path, sibling: pick(random, masks).path.at(-1)!, as };
    }
    case "reroot":
      return messages.length === 0 ? undefined : { op, path: pick(random, messages).path };
    case "protoIndex":
      return { op, as };
    case "limitDepth":
      return random.below(4) > 0 ? undefined : { op, depth: 1 + random.below(4) };
    case "project":
      return random.below(4) > 0
        ? undefined
        : { op, paths: fields.filter(() => random.below(2) === 0).map(({ path }) => path) };
    case "map": {
      if (leaves.length === 0) return undefined;
      const {
        path,
        shape: { dtype },
      } = pick(random, leaves);
      return { op, path, fn: pick(random, functionsOf(dtype!)), as };
    }
    case "addValues":
    case "sparseAddSame": {
      const numbers = leaves.filter(({ shape: { dtype } }) => dtype === "int64");
      if (numbers.length === 0) return undefined;
      const first = pick(random, numbers);
      const others = siblings(first).filter(
        ({ shape: { dtype, isRepeated } }) => dtype === "int64" && isRepeated === first.shape.isRepeated,
      );
      return { op, path: first.path, other: pick(random, others).path.at(-1)!, as };
    }
    case "rowSum": {
      const numbers = leaves.filter(({ shape: { dtype } }) => dtype === "int64");
      if (numbers.length === 0) return undefined;
      const { path } = pick(random, numbers);
      return { op, parent: path.slice(0, -1), below: path.slice(-1), as };
    }
    case "fill": {
      const numbers = leaves.filter(({ shape: { dtype, isRepeated } }) => dtype === "int64" && !isRepeated);
      return numbers.length === 0 ? undefined : { op, path: pick(random, numbers).path, as };
    }
    default:
      return undefined;
  }
}

const OPERATORS = [
  "promote",
  "broadcast",
  "promoteAndBroadcast",
  "slice",
  "size",
  "has",
  "positionalIndex",
  "indexFromEnd",
  "copy",
  "filterByChild",
  "filterBySibling",
  "reroot",
  // Listed twice, so that it is drawn often enough after a reroot. Without a reroot, this operator only returns row numbers.
  "protoIndex",
  "protoIndex",
  "limitDepth",
  "project",
  "map",
  "addValues",
  "sparseAddSame",
  "rowSum",
  "fill",
] as const;

function functionsOf(dtype: DType): readonly ValueFunctionName[] {
  if (dtype === "string") return ["length"];
  if (dtype === "bool") return ["not", "toInt64"];
  return dtype === "float64" ? ["isPositive", "negate"] : ["isPositive", "negate", "toInt64"];
}
