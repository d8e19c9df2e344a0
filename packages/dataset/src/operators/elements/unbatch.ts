import { nodeOn } from "../../checkpoint/plan-node.js";
import { type HostColumn, numRowsOf } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import { type Block, blockOfColumns, blockOfItems, itemsOf } from "../../blocks/block.js";
import { BlockQueue } from "../../blocks/block-queue.js";
import { leafBlock } from "../../blocks/column-block.js";
import { describeLeaf, hostOfLeaf, placeOfLeaf } from "../../columns/host-leaf.js";
import {
  componentPath,
  componentsOf,
  disposeElements,
  isHostColumn,
  isTensor,
  isTuple,
  tensorsOf,
  withComponents,
} from "../../columns/structure.js";
import { rowOf } from "../../columns/column-rows.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan, TensorFlow } from "../../plan.js";
import { planOf } from "../../plan-of.js";

/** Replaces every element with its rows, which are slices along the first dimension of all its components. */
export function unbatchPlan(upstream: Plan): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, "unbatch"),
    cardinality: () => (upstream.cardinality() === "infinite" ? "infinite" : "unknown"),
    moved: undefined,
    open: (pass) => new UnbatchStream(upstream, pass),
  };
}

class UnbatchStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #tf: TensorFlow | undefined;
  readonly #ready: BlockQueue = new BlockQueue();
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#tf = upstream.tf;
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const rows = this.#ready.read(maxRows);
      if (rows !== null) return rows;
      const block = await this.#upstream.read(1);
      if (block === null) return null;
      const unbatched = this.#unbatch(itemsOf(block)[0]);
      if (unbatched.numRows > 0) this.#ready.push(unbatched);
    }
  }

  async close(): Promise<void> {
    this.#ready.dispose();
    await this.#upstream.close();
  }

  /** Returns the rows of `element`, or one `Failure`. Consumes `element`. */
  #unbatch(element: unknown): Block {
    const elementIndex = this.#elementIndex++;
    if (element instanceof Failure) return blockOfItems([element]);
    try {
      return columnsOf(element) ?? blockOfItems(rowsOf(element, { elementIndex, tf: this.#tf }, ""));
    } catch (error) {
      return blockOfItems([new Failure(error)]);
    } finally {
      disposeElements([element]);
    }
  }
}

/**
 * Wraps a host column, or a dict of host columns of equal length, in a column block, without copying. Returns undefined for any
 * other element, and if a column is a scalar.
 */
function columnsOf(element: unknown): Block | undefined {
  if (isHostColumn(element))
    return hasRows(element) ? blockOfColumns(leafBlock(element, numRowsOf(element))) : undefined;
  if (isTuple(element)) return undefined;
  const components = componentsOf(element);
  const columns = components?.map(([, component]) => component) ?? [];
  if (columns.length === 0 || !columns.every((column) => isHostColumn(column) && hasRows(column)))
    return undefined;
  const [numRows = 0, ...others] = (columns as readonly HostColumn[]).map(numRowsOf);
  if (others.some((other) => other !== numRows)) return undefined;
  return blockOfColumns({ numRows, columns: element as Readonly<Record<string, HostColumn>> });
}

/** Returns false for a scalar, which has no first dimension. */
function hasRows(column: HostColumn): boolean {
  return column.kind === "ragged" || (column.kind === "dense" ? column.shape : column.denseShape).length > 0;
}

/** The position of the element, for error messages, and the TensorFlow.js module that slices tensors. */
interface UnbatchContext {
  readonly elementIndex: number;
  readonly tf: TensorFlow | undefined;
}

/**
 * Returns the rows of an element, each with the structure of that element. Tensors in the rows are new.
 * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) for components of unequal length, and for a leaf that
 *   cannot be sliced, such as a scalar, null, a sparse or ragged tensor, or any tensor before `withTensors`.
 */
function rowsOf(element: unknown, context: UnbatchContext, path: string): readonly unknown[] {
  const components = componentsOf(element);
  if (components === undefined) return rowsOfLeaf(element, context, path);
  const columns: (readonly [string, readonly unknown[]])[] = [];
  try {
    for (const [key, component] of components) {
      columns.push([key, rowsOf(component, context, componentPath(path, key))]);
      const [expected, found] = [columns[0]?.[1].length, columns.at(-1)?.[1].length];
      if (found !== expected) {
        throw invalid(
          context,
          componentPath(path, key),
          `has ${found} rows, but must have ${expected} rows like the first component`,
        );
      }
    }
  } catch (error) {
    disposeElements(columns.flatMap(([, rows]) => rows));
    throw error;
  }
  const numRows = columns[0]?.[1].length ?? 0;
  return Array.from({ length: numRows }, (_, row) =>
    withComponents(
      element,
      columns.map(([key, rows]) => [key, rows[row]] as const),
    ),
  );
}

function rowsOfLeaf(leaf: unknown, context: UnbatchContext, path: string): readonly unknown[] {
  if (Array.isArray(leaf) && leaf.length > 0 && leaf.every((item) => planOf(item) !== undefined)) return leaf;
  if (isTensor(leaf)) {
    if (context.tf === undefined)
      throw invalid(
        context,
        path,
        "is a tensor, which unbatch can slice only after withTensors. " +
          "Call withTensors({ tf }) before unbatch, or use values on the host",
      );
    if (leaf.rank === 0) throw invalid(context, path, "is a scalar, but must have at least one dimension");
    return context.tf.unstack(leaf);
  }
  const place = (): string => placeOfLeaf("unbatch", path, context.elementIndex);
  const host = tensorsOf(leaf).length > 0 ? undefined : hostOfLeaf(leaf, place);
  if (host === undefined)
    throw invalid(
      context,
      path,
      `is ${describeLeaf(leaf)}, but must be an array of scalars, a host column or a dense tensor`,
    );
  if (!hasRows(host)) throw invalid(context, path, "is a scalar, but must have at least one dimension");
  return Array.from({ length: numRowsOf(host) }, (_, row) => rowOf(host, row));
}

function invalid({ elementIndex }: UnbatchContext, path: string, problem: string): ArgumentError {
  const place = placeOfLeaf("unbatch", path, elementIndex);
  return new ArgumentError("invalid-argument", `${place} ${problem}.`, { reason: "unequal-elements" });
}
