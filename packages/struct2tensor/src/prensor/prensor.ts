import {
  aList,
  anObject,
  assertArgument,
  assertOptions,
  describeValue,
  invalidArgument,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { HostDense, HostRagged, HostSparse } from "@tfxio/tensor-adapter";
import { SchemaError } from "@tfxio/wire";
import { compareSteps, Path, type Step } from "../path/path.js";
import { areSplitsOf } from "./joins.js";
import { type DenseOptions, denseView } from "../views/dense.js";
import { raggedView } from "../views/ragged.js";
import { sparseView } from "../views/sparse.js";
import { type LeafNode, numElements, type PrensorNode, type RootNode } from "./nodes.js";

/**
 * A batch of nested data: a tree of fields, each with typed arrays. Immutable. Children are sorted by step. Positions are int32,
 * so a field has at most 2^31 - 1 elements in a batch.
 * @see struct2tensor `prensor.Prensor`
 */
export class Prensor<Node extends PrensorNode = PrensorNode> {
  /** The fields of the root or of a message, keyed by step. Empty for a leaf. */
  readonly children: ReadonlyMap<Step, Prensor>;

  /** Sorts the children by step. Does not check that the arrays fit together; {@link prensorOf} does. */
  constructor(
    readonly node: Node,
    children: Iterable<readonly [Step, Prensor]> = [],
  ) {
    this.children = new Map([...children].sort(([a], [b]) => compareSteps(a, b)));
  }

  /** Returns the subtree at a path, or undefined if there is none. */
  find(path: Path | string): Prensor | undefined {
    return partAt(this, Path.from(path).steps);
  }

  /** Returns the subtree at a path. @throws {SchemaError} `schema-mismatch` (`unknown-column`) if there is none. */
  get(path: Path | string): Prensor {
    return this.#along(Path.from(path)).at(-1)!;
  }

  /**
   * Returns the leaf node at a path, with its values and parent indices. Nothing is copied.
   * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `not-a-leaf`.
   */
  leaf(path: Path | string): LeafNode {
    const { node } = this.get(path);
    if (node.kind === "leaf") return node;
    throw new SchemaError("schema-mismatch", `The field "${path}" must be a leaf, found messages.`, {
      reason: "not-a-leaf",
      columnPath: String(path),
    });
  }

  /** Yields every subtree with its path, in depth-first order, starting with this one. */
  *entries(): Generator<readonly [Path, Prensor]> {
    yield* entriesBelow(Path.of([]), this);
  }

  /** Returns the paths of all leaves, in the order of {@link entries}. */
  leafPaths(): readonly Path[] {
    return [...this.entries()].filter(([, { node }]) => node.kind === "leaf").map(([path]) => path);
  }

  /**
   * Returns the values at a path as a ragged tensor. Each step adds a ragged dimension, even for an optional field, so the rank
   * is the number of steps + 1. Borrows the values, and the row splits if they exist. A missing value becomes an empty row.
   * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `not-a-leaf`.
   * @throws {ConversionError} `not-convertible` (`parent-order`) if parent indices do not ascend.
   */
  ragged(path: Path | string): HostRagged {
    return raggedView(this.#size(), this.#chain(path));
  }

  /**
   * Returns the values at a path as a sparse tensor. The first dimension is the batch. Each repeated step adds a dimension with
   * the size of its longest list in this batch. An optional leaf of the root has rank 1. Borrows the values.
   * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `not-a-leaf`.
   * @throws {ConversionError} `not-convertible` (`parent-order`) if parent indices do not ascend; `out-of-range`
   *   (`batch-too-large`) if all values together have 2^31 coordinates or more.
   */
  sparse(path: Path | string): HostSparse {
    return sparseView(this.#size(), this.#chain(path));
  }

  /**
   * Returns the values at a path as a padded dense tensor, with the same rank as {@link sparse}. Copies the values.
   * @throws {ConversionError} `shape-mismatch` (`expression-shape`) if `shape` has the wrong rank or a row does not fit it;
   *   `not-convertible`: `missing-value` if a value is missing and `defaultValue` is absent, `default-value` if `defaultValue`
   *   does not fit the type of the tensor; `out-of-range` (`batch-too-large`). Also throws the errors of {@link sparse}.
   */
  dense(path: Path | string, options: DenseOptions = {}): HostDense {
    assertOptions("dense", options, { defaultValue: null, shape: aList });
    return denseView(this.sparse(path), options, String(path));
  }

  #size(): number {
    return numElements(this.node);
  }

  #chain(path: Path | string): readonly PrensorNode[] {
    this.leaf(path);
    return this.#along(Path.from(path))
      .slice(1)
      .map(({ node }) => node);
  }

  #along(path: Path): readonly Prensor[] {
    const parts: Prensor[] = [this];
    for (const [depth, step] of path.steps.entries()) {
      const child = parts[depth]!.children.get(step);
      if (child === undefined) throw missing(path, parts[depth]!);
      parts.push(child);
    }
    return parts;
  }
}

/** Asserts that a value is a Prensor. @throws {ArgumentError} `invalid-argument`. */
export function assertPrensor(value: unknown): void {
  if (!(value instanceof Prensor)) throw invalidArgument("prensor", "a Prensor", value);
}

function partAt(part: Prensor, steps: readonly Step[]): Prensor | undefined {
  const [step, ...below] = steps;
  if (step === undefined) return part;
  const child = part.children.get(step);
  return child && partAt(child, below);
}

function* entriesBelow(path: Path, part: Prensor): Generator<readonly [Path, Prensor]> {
  yield [path, part];
  for (const [step, child] of part.children) yield* entriesBelow(path.child(step), child);
}

function missing(path: Path, { children }: Prensor): SchemaError {
  const steps = [...children.keys()];
  const known = steps.length === 0 ? "no children" : `these children: ${steps.join(", ")}`;
  return new SchemaError(
    "schema-mismatch",
    `The prensor has no field "${path}". The last existing node on this path has ${known}.`,
    { reason: "unknown-column", columnPath: path.toString() },
  );
}

/**
 * Builds a prensor from nodes keyed by text path; `""` is the root. Borrows the arrays.
 * @throws {ArgumentError} `invalid-argument` unless `nodes` has a root, every other node has the root or a message in `nodes` as
 *   its parent, the parent indices and row splits are valid, and every leaf has one value per parent index.
 */
export function prensorOf(nodes: Readonly<Record<string, PrensorNode>>): Prensor<RootNode> {
  assertArgument("nodes", nodes, anObject);
  const root = nodes[""];
  if (root?.kind !== "root")
    throw unusableArgument("nodes", `must be a root node, found ${foundNode(root)}`, { at: '[""]' });
  const tree = { node: root as PrensorNode, children: new Map<Step, Branch>() };
  const paths = Object.keys(nodes).filter((text) => text !== "");
  for (const path of paths.map((text) => Path.parse(text)).sort(Path.compare)) {
    let parent: Branch | undefined = tree;
    for (const step of path.parent().steps) parent = parent?.children.get(step);
    const node = nodes[path.toString()]!;
    if (node.kind === "root")
      throw unusableArgument(`nodes["${path}"]`, `must be a message or leaf, found ${foundNode(node)}`);
    if (parent === undefined || parent.node.kind === "leaf") {
      throw unusableArgument(
        `nodes["${path.parent()}"]`,
        `must be a message, because it is the parent of "${path}", found ${foundNode(parent?.node)}`,
      );
    }
    assertFits(node, parent.node.kind === "root" ? parent.node.size : parent.node.parentIndex.length, path);
    parent.children.set(path.last(), { node, children: new Map() });
  }
  return grown(tree) as Prensor<RootNode>;
}

/** Describes a node of the wrong kind, for an error message. */
function foundNode(node: PrensorNode | undefined): string {
  return node?.kind === undefined ? describeValue(node) : `a node of kind ${describeValue(node.kind)}`;
}

/** A prensor under construction. Children can still be added. */
interface Branch {
  readonly node: PrensorNode;
  readonly children: Map<Step, Branch>;
}

/** Converts a finished branch to a prensor, children first. */
function grown({ node, children }: Branch): Prensor {
  return new Prensor(
    node,
    [...children].map(([step, child]) => [step, grown(child)] as const),
  );
}

/** @throws {ArgumentError} `invalid-argument` unless the arrays of a node fit each other and the number of parents. */
function assertFits(node: Exclude<PrensorNode, RootNode>, numParents: number, path: Path): void {
  const { parentIndex } = node;
  const at = `nodes["${path}"].parentIndex`;
  if (!(parentIndex instanceof Int32Array)) throw invalidArgument(at, "an Int32Array", parentIndex);
  const bad = parentIndex.findIndex((parent) => parent < 0 || parent >= numParents);
  if (bad !== -1) {
    const expected = `at least 0 and below ${numParents}, the number of parents`;
    throw invalidArgument(at, expected, parentIndex[bad], { at: `[${bad}]` });
  }
  const { rowSplits } = node;
  if (
    rowSplits !== undefined &&
    !(rowSplits.length === numParents + 1 && areSplitsOf(rowSplits, parentIndex))
  ) {
    throw invalidArgument(`nodes["${path}"].rowSplits`, "the row splits of parentIndex", rowSplits);
  }
  if (node.kind !== "leaf" || node.values.length === parentIndex.length) return;
  throw unusableArgument(
    `nodes["${path}"].values`,
    `must have length ${parentIndex.length}, like parentIndex, found length ${node.values.length}`,
  );
}
