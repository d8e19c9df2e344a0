import { type HostColumn, RaggedTensor, SparseTensor, type Tensor } from "@tfxio/tensor-adapter";

const tupleBrand: unique symbol = Symbol.for("@tfxio/dataset/tuple") as never;

/** Components in a fixed order. A tuple can be destructured like an array. */
export type Tuple<Components extends readonly unknown[]> = Readonly<Components> & {
  readonly [tupleBrand]: true;
};

/**
 * Creates an element of several components. A plain JavaScript array is one value, as in TensorFlow.js. For example, a batch of n
 * elements `[1, 2]` has shape `[n, 2]`, but a batch of n elements `tuple(1, 2)` has two components of shape `[n]`.
 */
export function tuple<const Components extends readonly unknown[]>(
  ...components: Components
): Tuple<Components> {
  return Object.defineProperty(components, tupleBrand, { value: true }) as unknown as Tuple<Components>;
}

/** Returns true for a result of {@link tuple}, from any copy of this package. */
export function isTuple(value: unknown): value is Tuple<readonly unknown[]> {
  return Array.isArray(value) && tupleBrand in value;
}

/** Returns true for a structure of named components: a plain object that is not a host column. */
export function isDict(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || isHostColumn(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Checks the depth of the prototype chain, because objects from another realm have a different Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns true for a dense, sparse or ragged host value. */
export function isHostColumn(value: unknown): value is HostColumn {
  if (typeof value !== "object" || value === null || !("kind" in value && "dtype" in value)) return false;
  return value.kind === "dense" || value.kind === "sparse" || value.kind === "ragged";
}

/** Returns true for a TensorFlow.js tensor from any copy of the library. */
export function isTensor(value: unknown): value is Tensor {
  return typeof value === "object" && value !== null && "dataId" in value && "rankType" in value;
}

/** Returns the components of a dict or tuple with their keys, or undefined for a leaf. The keys of a tuple are its positions. */
export function componentsOf(element: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (isTuple(element)) return element.map((component, index) => [String(index), component] as const);
  return isDict(element) ? Object.entries(element) : undefined;
}

/** Returns the kind of an element and its components, in words, for error messages. */
export function describeStructure(element: unknown): string {
  const components = componentsOf(element);
  if (components === undefined) return "a value without components";
  const keys = components.map(([key]) => key).join(", ");
  return isTuple(element) ? `a tuple of length ${components.length}` : `a dict of {${keys}}`;
}

/**
 * Returns a tuple of the components in `entries` if `like` is a tuple, otherwise a dict. `entries` must be in the order of
 * {@link componentsOf}.
 */
export function withComponents(like: unknown, entries: readonly (readonly [string, unknown])[]): unknown {
  return isTuple(like) ? tuple(...entries.map(([, component]) => component)) : Object.fromEntries(entries);
}

/**
 * Returns the path of the component `key` inside the component at path `parent`. A path consists of keys joined by dots. The path
 * of a whole element is `""`. Error messages and options use these paths.
 */
export function componentPath(parent: string, key: string): string {
  return parent === "" ? key : `${parent}.${key}`;
}

/**
 * Returns the structure of `element` with every leaf replaced by the result of `f`. `f` also receives the leaf's path.
 */
export function mapLeaves(element: unknown, f: (leaf: unknown, path: string) => unknown, path = ""): unknown {
  const components = componentsOf(element);
  if (components === undefined) return f(element, path);
  const mapped = components.map(([key, component]) => {
    return [key, mapLeaves(component, f, componentPath(path, key))] as const;
  });
  return withComponents(element, mapped);
}

/**
 * Appends every tensor in an element to `found`: leaves, items of arrays, and the parts of sparse and ragged tensors. Returns
 * `found`.
 */
export function tensorsOf(element: unknown, found: Tensor[] = []): Tensor[] {
  if (typeof element !== "object" || element === null || ArrayBuffer.isView(element)) return found;
  if (isTensor(element)) found.push(element);
  else if (Object.getPrototypeOf(element) === Object.prototype && !isHostColumn(element)) {
    tensorsOfDict(element as Readonly<Record<string, unknown>>, found);
  } else if (element instanceof SparseTensor) found.push(element.indices, element.values);
  else if (element instanceof RaggedTensor) found.push(element.values, ...element.nestedRowSplits);
  else if (Array.isArray(element)) {
    // All items of an array are of one kind, so checking the first avoids scanning long arrays of numbers.
    if (typeof element[0] === "object" || isTuple(element))
      for (const item of element) tensorsOf(item, found);
  } else if (isDict(element)) tensorsOfDict(element, found);
  return found;
}

function tensorsOfDict(dict: Readonly<Record<string, unknown>>, found: Tensor[]): void {
  for (const key of Object.keys(dict)) {
    const component = dict[key];
    if (typeof component === "object") tensorsOf(component, found);
  }
}

/** Disposes the tensors of elements that are no longer needed. Nested datasets stay unchanged. */
export function disposeElements(elements: readonly unknown[]): void {
  const found: Tensor[] = [];
  for (const element of elements) tensorsOf(element, found);
  for (const tensor of found) tensor.dispose();
}

/** Returns the element with its tensors cloned. The receiver may dispose the clones. A clone shares the data of its original. */
export function cloneTensors(element: unknown): unknown {
  if (tensorsOf(element).length === 0) return element;
  return mapLeaves(element, (leaf) => {
    if (isTensor(leaf)) return leaf.clone();
    if (leaf instanceof SparseTensor) {
      return new SparseTensor(leaf.indices.clone(), leaf.values.clone(), leaf.denseShape);
    }
    if (leaf instanceof RaggedTensor) {
      const splits = leaf.nestedRowSplits.map((tensor) => tensor.clone());
      return new RaggedTensor(leaf.values.clone(), splits);
    }
    return Array.isArray(leaf) ? leaf.map(cloneTensors) : leaf;
  });
}
