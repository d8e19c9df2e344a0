import { ArgumentError } from "@tfxio/wire";
import { assertArgument, type Rule } from "@tfxio/wire/checks";
import { componentPath, componentsOf, isTuple } from "../columns/structure.js";
import type { BatcherFor } from "./batch-elements.js";
import { anElementShape, type ElementShape } from "./element-shape.js";
import { paddedBatcher } from "./padded-batcher.js";
import { aPaddingValue, type PaddingValue } from "./padding-value.js";

/** Padding settings by component. */
export interface PaddedComponentsSettings {
  /** A shape, or a dict or tuple of shapes. A plain array of shapes counts as a tuple. Default: see {@link PaddedSettings}. */
  readonly shapes: unknown;
  /** One value for all components, or a dict or tuple of values. Default: 0, false or the empty string. */
  readonly values: unknown;
  /** See {@link PaddedSettings.openSize}. */
  readonly openSize: number | undefined;
}

/**
 * Returns a function that returns the batcher of a component. The batcher uses the shape and the padding value that the settings
 * give for that component.
 * @throws {ArgumentError} `invalid-argument` if `shapes` or `values` has none of the forms of {@link PaddedComponentsSettings}.
 *   The returned function throws it for a component without an entry in `shapes`, unless `shapes` is undefined.
 */
export function paddedComponents(
  { shapes, values, openSize }: PaddedComponentsSettings,
  operator: string,
): BatcherFor {
  const shapeOf = byPath<ElementShape>(shapes, anElementShape, "shapes", operator);
  const valueOf = byPath<PaddingValue>(values, aPaddingValue, "values", operator);
  const valueOfAll = values !== undefined && aPaddingValue.holds(values);
  return (path) => {
    const isKnown = shapes === undefined || shapeOf.has(path);
    if (!isKnown) {
      const needed =
        path === ""
          ? "be a single shape, because elements have no components"
          : `have an entry for component "${path}"`;
      throw new ArgumentError("invalid-argument", `${operator}: shapes must ${needed}.`, {
        argument: "shapes",
      });
    }
    return paddedBatcher({ shape: shapeOf.get(path), value: valueOf.get(valueOfAll ? "" : path), openSize });
  };
}

/**
 * Returns the leaves of a structure by their {@link componentPath}.
 * @throws {ArgumentError} `invalid-argument` for a leaf that the rule `leaf` rejects.
 */
function byPath<T>(structure: unknown, leaf: Rule, argument: string, owner: string): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  const visit = (value: unknown, path: string): void => {
    if (value === undefined) return;
    const isLeaf = leaf.holds(value) && !isTuple(value);
    const components = isLeaf ? undefined : (componentsOf(value) ?? itemsOf(value));
    if (components === undefined) {
      assertArgument(argument, value, leaf, owner);
      found.set(path, value as T);
    } else for (const [key, component] of components) visit(component, componentPath(path, key));
  };
  visit(structure, "");
  return found;
}

function itemsOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return Array.isArray(value) ? value.map((item, index) => [String(index), item] as const) : undefined;
}
