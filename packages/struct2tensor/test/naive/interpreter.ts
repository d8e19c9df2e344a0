import type { DType } from "@tfxio/tensor-adapter";
import { type Batch, cloneElement, cloneShape, type Element, type Shape } from "./data.js";

// A slow and simple interpreter of the query operators: each operator walks through objects, parent by parent. The interpreter
// shares no code with the package, has no indices and no plan, and computes all fields.

/** One step of a random query. Each path lists field names from the root, except `below`, which starts at `parent`. */
export type Step =
  | { readonly op: "project"; readonly paths: readonly (readonly string[])[] }
  | { readonly op: "promote"; readonly path: readonly string[]; readonly as: string }
  | {
      readonly op: "broadcast";
      readonly path: readonly string[];
      readonly sibling: string;
      readonly as: string;
    }
  | {
      readonly op: "promoteAndBroadcast";
      readonly path: readonly string[];
      readonly dest: readonly string[];
      readonly as: string;
    }
  | {
      readonly op: "slice";
      readonly path: readonly string[];
      readonly begin: number | undefined;
      readonly end: number | undefined;
      readonly as: string;
    }
  | {
      readonly op: "size" | "has" | "positionalIndex" | "indexFromEnd" | "copy";
      readonly path: readonly string[];
      readonly as: string;
    }
  | {
      readonly op: "filterByChild";
      readonly path: readonly string[];
      readonly child: string;
      readonly as: string;
    }
  | {
      readonly op: "filterBySibling";
      readonly path: readonly string[];
      readonly sibling: string;
      readonly as: string;
    }
  | { readonly op: "reroot"; readonly path: readonly string[] }
  | { readonly op: "protoIndex"; readonly as: string }
  | { readonly op: "limitDepth"; readonly depth: number }
  | {
      readonly op: "map";
      readonly path: readonly string[];
      readonly fn: ValueFunctionName;
      readonly as: string;
    }
  | {
      readonly op: "addValues" | "sparseAddSame";
      readonly path: readonly string[];
      readonly other: string;
      readonly as: string;
    }
  | {
      readonly op: "rowSum";
      readonly parent: readonly string[];
      readonly below: readonly string[];
      readonly as: string;
    }
  | { readonly op: "fill"; readonly path: readonly string[]; readonly as: string }
  | { readonly op: "first"; readonly path: readonly string[]; readonly as: string };

/** Names of the value functions in random queries. */
export type ValueFunctionName = "isPositive" | "negate" | "not" | "length" | "toInt64";

/** Thrown if two fields of a step have different numbers of values in the same parent. */
export class ShapeMismatch extends Error {
  override readonly name = "ShapeMismatch";
}

/** Returns the batch that a step produces. Leaves the given batch unchanged. */
export function interpret(before: Batch, step: Step): Batch {
  const batch: Batch = { rows: before.rows.map(cloneElement), shape: cloneShape(before.shape) };
  const { rows, shape } = batch;
  switch (step.op) {
    case "project":
      return { rows, shape: projected(shape, step.paths) };
    case "limitDepth":
      return { rows, shape: limited(shape, step.depth) };
    case "promote": {
      const [x, middle, above] = [step.path.at(-1)!, step.path.at(-2)!, step.path.slice(0, -2)];
      for (const grandparent of elementsAt(rows, above)) {
        const parents = grandparent.fields.get(middle) ?? [];
        grandparent.fields.set(
          step.as,
          parents.flatMap((parent) => copies(parent, x)),
        );
      }
      const from = shapeAt(shape, step.path);
      const isRepeated = from.isRepeated || shapeAt(shape, step.path.slice(0, -1)).isRepeated;
      shapeAt(shape, above).fields.set(step.as, { ...cloneShape(from), isRepeated });
      return batch;
    }
    case "broadcast": {
      const above = step.path.slice(0, -1);
      for (const parent of elementsAt(rows, above)) {
        const values = copies(parent, step.path.at(-1)!);
        for (const sibling of parent.fields.get(step.sibling) ?? []) {
          sibling.fields.set(step.as, values.map(cloneElement));
        }
      }
      const from = cloneShape(shapeAt(shape, step.path));
      shapeAt(shape, [...above, step.sibling]).fields.set(step.as, from);
      return batch;
    }
    case "promoteAndBroadcast": {
      let meeting = 0;
      const above = step.path.slice(0, -1);
      while (meeting < above.length && above[meeting] === step.dest[meeting]) meeting++;
      // `meeting` is the depth of the closest common ancestor of the field and the destination. Each message at the destination
      // receives the values of the field that share its ancestor at this depth.
      const from = shapeAt(shape, step.path);
      let { isRepeated } = from;
      for (let depth = meeting + 1; depth < step.path.length; depth++) {
        isRepeated ||= shapeAt(shape, step.path.slice(0, depth)).isRepeated;
      }
      for (const ancestor of elementsAt(rows, step.path.slice(0, meeting))) {
        const values = elementsAt([ancestor], step.path.slice(meeting)).map(cloneElement);
        for (const target of elementsAt([ancestor], step.dest.slice(meeting))) {
          target.fields.set(step.as, values.map(cloneElement));
        }
      }
      shapeAt(shape, step.dest).fields.set(step.as, { ...cloneShape(from), isRepeated });
      return batch;
    }
    case "slice":
      return withSelection(batch, step, (elements) => elements.slice(step.begin ?? 0, step.end));
    case "copy":
      return withSelection(batch, step, (elements) => elements);
    case "first":
      return withSelection(batch, step, (elements) => elements.slice(0, 1));
    case "filterByChild":
      return withSelection(batch, step, (elements) =>
        elements.filter(({ fields }) => fields.get(step.child)?.[0]?.value === true),
      );
    case "filterBySibling": {
      assertSameParents(rows, step.path, step.sibling);
      return withSelection(batch, step, (elements, parent) => {
        const mask = parent.fields.get(step.sibling) ?? [];
        return elements.filter((_, index) => mask[index]?.value === true);
      });
    }
    case "size":
      return withLeaf(batch, step, { isRepeated: false, dtype: "int64" }, (elements) => [
        BigInt(elements.length),
      ]);
    case "has":
      return withLeaf(batch, step, { isRepeated: false, dtype: "bool" }, (elements) => [elements.length > 0]);
    case "positionalIndex":
    case "indexFromEnd": {
      const { isRepeated } = shapeAt(shape, step.path);
      const { op } = step;
      return withLeaf(batch, step, { isRepeated, dtype: "int64" }, (elements) =>
        elements.map((_, index) => BigInt(op === "positionalIndex" ? index : index - elements.length)),
      );
    }
    case "reroot":
      return {
        rows: rows.flatMap((row, index) =>
          elementsAt([row], step.path).map((element) => ({ ...element, record: row.record ?? index })),
        ),
        shape: shapeAt(shape, step.path),
      };
    case "protoIndex":
      for (const [index, row] of rows.entries()) row.fields.set(step.as, [leaf(BigInt(row.record ?? index))]);
      shape.fields.set(step.as, leafShape(false, "int64"));
      return batch;
    case "map": {
      const { isRepeated, dtype } = shapeAt(shape, step.path);
      const type = { isRepeated, dtype: mappedType(step.fn, dtype!) };
      return withLeaf(batch, step, type, (elements) =>
        elements.map(({ value }) => mapped(step.fn, value!, dtype!)),
      );
    }
    case "addValues":
    case "sparseAddSame": {
      assertSameParents(rows, step.path, step.other);
      const { isRepeated, dtype } = shapeAt(shape, step.path);
      return withLeaf(batch, step, { isRepeated, dtype: dtype! }, (elements, parent) => {
        const others = parent.fields.get(step.other) ?? [];
        return elements.map(({ value }, index) =>
          BigInt.asIntN(64, (value as bigint) + (others[index]!.value as bigint)),
        );
      });
    }
    case "rowSum": {
      for (const parent of elementsAt(rows, step.parent)) {
        const values = elementsAt([parent], step.below).map(({ value }) => value as bigint);
        parent.fields.set(step.as, [leaf(values.reduce((sum, value) => BigInt.asIntN(64, sum + value), 0n))]);
      }
      shapeAt(shape, step.parent).fields.set(step.as, leafShape(false, "int64"));
      return batch;
    }
    case "fill":
      return withLeaf(batch, step, { isRepeated: false, dtype: "int64" }, (elements) => [
        elements[0]?.value ?? -7n,
      ]);
    default:
      throw new Error("no such step");
  }
}

/** Returns all elements at a path, in order. */
function elementsAt(rows: readonly Element[], path: readonly string[]): readonly Element[] {
  let elements = rows;
  for (const step of path) elements = elements.flatMap(({ fields }) => fields.get(step) ?? []);
  return elements;
}

/** Returns the shape at a path. */
function shapeAt(shape: Shape, path: readonly string[]): Shape {
  let found = shape;
  for (const step of path) found = found.fields.get(step)!;
  return found;
}

function copies(parent: Element, name: string): Element[] {
  return (parent.fields.get(name) ?? []).map(cloneElement);
}

function leaf(value: NonNullable<Element["value"]>): Element {
  return { value, fields: new Map() };
}

function leafShape(isRepeated: boolean, dtype: DType): Shape {
  return { isRepeated, dtype, fields: new Map() };
}

interface PlacedStep {
  readonly path: readonly string[];
  readonly as: string;
}

/** Adds a copy of a field. The copy has only the selected elements of each parent, with everything below them. */
function withSelection(
  batch: Batch,
  { path, as }: PlacedStep,
  select: (elements: Element[], parent: Element) => Element[],
): Batch {
  const above = path.slice(0, -1);
  for (const parent of elementsAt(batch.rows, above)) {
    parent.fields.set(as, select(copies(parent, path.at(-1)!), parent));
  }
  shapeAt(batch.shape, above).fields.set(as, cloneShape(shapeAt(batch.shape, path)));
  return batch;
}

/** Adds a leaf with the name in `as`. Its values in each parent are those that `valuesOf` returns. */
function withLeaf(
  batch: Batch,
  { path, as }: PlacedStep,
  { isRepeated, dtype }: { readonly isRepeated: boolean; readonly dtype: DType },
  valuesOf: (elements: readonly Element[], parent: Element) => readonly NonNullable<Element["value"]>[],
): Batch {
  const above = path.slice(0, -1);
  for (const parent of elementsAt(batch.rows, above)) {
    parent.fields.set(as, valuesOf(parent.fields.get(path.at(-1)!) ?? [], parent).map(leaf));
  }
  shapeAt(batch.shape, above).fields.set(as, leafShape(isRepeated, dtype));
  return batch;
}

function assertSameParents(rows: readonly Element[], path: readonly string[], other: string): void {
  for (const { fields } of elementsAt(rows, path.slice(0, -1))) {
    const [a, b] = [path.at(-1)!, other].map((name) => fields.get(name)?.length ?? 0);
    if (a !== b) throw new ShapeMismatch(`${a} and ${b} values`);
  }
}

function projected({ fields, ...shape }: Shape, paths: readonly (readonly string[])[]): Shape {
  const kept = [...fields].flatMap(([name, field]): [string, Shape][] => {
    const below = paths.filter(([first]) => first === name).map((path) => path.slice(1));
    return below.length === 0 ? [] : [[name, projected(field, below)]];
  });
  return { ...shape, fields: new Map(kept) };
}

function limited({ fields, ...shape }: Shape, depth: number): Shape {
  if (depth === 0) return { ...shape, fields: new Map() };
  return { ...shape, fields: new Map([...fields].map(([name, field]) => [name, limited(field, depth - 1)])) };
}

function mapped(
  fn: ValueFunctionName,
  value: NonNullable<Element["value"]>,
  dtype: DType,
): NonNullable<Element["value"]> {
  switch (fn) {
    case "isPositive":
      return (value as number | bigint) > 0;
    case "negate":
      if (typeof value === "bigint") return BigInt.asIntN(64, -value);
      // Integers have no negative zero.
      return dtype === "int32" ? 0 - (value as number) : -(value as number);
    case "not":
      return !value;
    case "length":
      return (value as string).length;
    default:
      return BigInt(value);
  }
}

function mappedType(fn: ValueFunctionName, dtype: DType): DType {
  const types = {
    isPositive: "bool",
    negate: dtype,
    not: "bool",
    length: "int32",
    toInt64: "int64",
  } as const;
  return types[fn];
}
