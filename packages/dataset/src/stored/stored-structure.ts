import type { DType, HostColumn } from "@tfxio/tensor-adapter";
import { SchemaError } from "@tfxio/wire";
import { componentPath, componentsOf, isTuple, tuple } from "../columns/structure.js";

/** The layout of a leaf in a file. Its columns start at `column`, counted from 0. `rank` does not count the batch dimension. */
export type StoredLeaf =
  | { readonly kind: "dense"; readonly dtype: DType; readonly rank: number; readonly column: number }
  | { readonly kind: "sparse"; readonly dtype: DType; readonly rank: number; readonly column: number }
  | {
      readonly kind: "ragged";
      readonly dtype: DType;
      readonly levels: number;
      readonly innerShape: readonly number[];
      readonly rowSplitsDtype: "int32" | "int64";
      readonly column: number;
    };

/** The structure of stored elements. A file holds it as JSON in its metadata. */
export type StoredStructure =
  | { readonly leaf: StoredLeaf }
  | { readonly dict: readonly (readonly [key: string, component: StoredStructure])[] }
  | { readonly tuple: readonly StoredStructure[] };

/** Returns the number of file columns of a leaf: one for values and, if needed, one for indices and one for shapes. */
export function numColumnsOf(leaf: StoredLeaf): number {
  if (leaf.kind === "sparse") return 3;
  return leaf.kind === "dense" && leaf.rank > 1 ? 2 : 1;
}

/** Returns the structure of an element. Calls `leafOf` for each leaf, in order. */
export function structureOf(
  element: unknown,
  leafOf: (leaf: unknown, path: string) => StoredLeaf,
  path = "",
): StoredStructure {
  const components = componentsOf(element);
  if (components === undefined) return { leaf: leafOf(element, path) };
  const parts = components.map(([key, component]) => {
    return [key, structureOf(component, leafOf, componentPath(path, key))] as const;
  });
  return isTuple(element) ? { tuple: parts.map(([, part]) => part) } : { dict: parts };
}

/** Returns all leaves with their {@link componentPath}, in the order of their columns. */
export function leavesOf(
  structure: StoredStructure,
  path = "",
): readonly { readonly leaf: StoredLeaf; readonly path: string }[] {
  if ("leaf" in structure) return [{ leaf: structure.leaf, path }];
  const parts =
    "dict" in structure
      ? structure.dict
      : structure.tuple.map((part, index) => [String(index), part] as const);
  return parts.flatMap(([key, part]) => leavesOf(part, componentPath(path, key)));
}

/**
 * Builds an element that has the given structure. Each call of `next` returns the next leaf, in the order of {@link leavesOf}.
 */
export function elementOf(structure: StoredStructure, next: () => unknown): unknown {
  if ("leaf" in structure) return next();
  if ("tuple" in structure) return tuple(...structure.tuple.map((part) => elementOf(part, next)));
  return Object.fromEntries(structure.dict.map(([key, part]) => [key, elementOf(part, next)]));
}

/** Returns the stored layout of a host column whose file columns start at `column`. */
export function storedLeafOf(values: HostColumn, column: number): StoredLeaf {
  const { dtype } = values;
  switch (values.kind) {
    case "dense":
      return { kind: "dense", dtype, rank: values.shape.length - 1, column };
    case "sparse":
      return { kind: "sparse", dtype, rank: values.denseShape.length - 1, column };
    case "ragged": {
      const { nestedRowSplits, innerShape, rowSplitsDtype } = values;
      return { kind: "ragged", dtype, levels: nestedRowSplits.length, innerShape, rowSplitsDtype, column };
    }
  }
}

/**
 * Asserts that new rows have the structure of earlier rows. @param elementIndex Index of the first new row.
 * @throws {SchemaError} `schema-mismatch` (`dataset-element`) if the structures differ.
 */
export function assertSameStructure(
  expected: StoredStructure,
  found: StoredStructure,
  elementIndex: number,
): void {
  const [expectedText, foundText] = [JSON.stringify(expected), JSON.stringify(found)];
  if (expectedText === foundText) return;
  throw new SchemaError(
    "schema-mismatch",
    `All elements of a file must have the structure ${expectedText}, found ${foundText} from element ${elementIndex} on.`,
    { reason: "dataset-element", expected: expectedText, actual: foundText },
  );
}
