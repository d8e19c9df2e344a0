import { numRowsOf, SparseTensor } from "@tfxio/tensor-adapter";
import { UserFunctionError } from "@tfxio/wire";
import { aFunction, aNumber, assertArgument, assertOptions, membersOf, rule } from "@tfxio/wire/checks";
import { type Block, disposeBlock, isItemRows } from "../blocks/block.js";
import { skipRows } from "../checkpoint/skip-rows.js";
import { isHostColumn } from "../columns/structure.js";
import { Dataset } from "../dataset.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { planOf } from "../plan-of.js";
import { PassProgress, type PassTotals, type ProgressEvent } from "./pass-progress.js";

/** Options of {@link withProgress}. */
export interface ProgressOptions {
  /** Minimum time in milliseconds between two `"running"` events of a pass. Default 100, which looks continuous to a person. */
  readonly everyMs?: number | undefined;
}

/**
 * Returns the same dataset with progress reports at the start, during and at the end of each pass, for example to draw a progress
 * bar. Apply `withProgress` last, directly before training. It then counts the elements that the model has received, not those
 * that `shuffle` or `prefetch` has read ahead. An iterator that is never read makes no reports. `fitDataset` creates one such
 * iterator.
 * @param onProgress Called between elements. If it throws, the pass ends with a {@link UserFunctionError}.
 * @throws {ArgumentError} `invalid-argument` for invalid arguments.
 */
export function withProgress<T>(
  dataset: Dataset<T>,
  onProgress: (event: ProgressEvent) => void,
  options: ProgressOptions = {},
): Dataset<T> {
  assertArgument("dataset", dataset, aDataset, "withProgress");
  assertArgument("onProgress", onProgress, aFunction, "withProgress");
  assertOptions("withProgress", options, { everyMs: aNumber(0) });
  return new Dataset<T>(progressPlan(planOf(dataset) as Plan, onProgress, options.everyMs ?? 100));
}

const aDataset = rule("a Dataset of @tfxio/dataset", (value) => planOf(value) !== undefined);

function progressPlan(upstream: Plan, onProgress: (event: ProgressEvent) => void, everyMs: number): Plan {
  const tell = (event: ProgressEvent): void => {
    try {
      onProgress(event);
    } catch (cause) {
      const message = `withProgress: onProgress failed: ${String(cause)}`;
      throw new UserFunctionError(message, { operator: "withProgress", cause });
    }
  };
  const totals: PassTotals = { numPasses: 0, numElements: undefined };
  const start = (): PassProgress => {
    const cardinality = upstream.cardinality();
    const numKnown = typeof cardinality === "number" ? cardinality : totals.numElements;
    return new PassProgress(totals, numKnown, everyMs, tell);
  };
  // Random access to the rows would bypass the reports.
  const node = { ...upstream.node, rowAccess: undefined };
  return { ...upstream, node, open: (pass) => new ProgressStream(upstream, pass, start) };
}

class ProgressStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #start: () => PassProgress;
  #progress: PassProgress | undefined;

  constructor(upstream: Plan, pass: Pass, start: () => PassProgress) {
    this.#upstream = upstream.open(pass);
    this.#start = start;
  }

  async read(maxRows: number): Promise<Block | null> {
    this.#progress ??= this.#start();
    const block = await this.#upstream.read(maxRows);
    try {
      if (block === null) this.#progress.ends("complete");
      else this.#progress.adds(block.numRows, rowsIn(block));
    } catch (error) {
      if (block !== null) disposeBlock(block);
      throw error;
    }
    return block;
  }

  async skip(numRows: number): Promise<number> {
    this.#progress ??= this.#start();
    const numSkipped = await skipRows(this.#upstream, numRows);
    this.#progress.resumesAfter(numSkipped);
    return numSkipped;
  }

  async close(): Promise<void> {
    await this.#upstream.close();
    this.#progress?.ends("stopped");
  }
}

/** Returns the number of rows in a block. A batch `{ xs, ys }` counts as the rows that it holds, any other element as one row. */
function rowsIn(block: Block): number {
  if (!isItemRows(block)) return block.numRows;
  return block.items.reduce<number>((numRows, element) => numRows + rowsOf(element), 0);
}

function rowsOf(element: unknown): number {
  const { xs, ys } = membersOf(element);
  return xs === undefined || ys === undefined ? 1 : (leadingSize(ys) ?? 1);
}

/** Returns the number of rows of the first tensor or host column in a structure, or undefined if there is none. */
function leadingSize(value: unknown): number | undefined {
  if (isHostColumn(value) && (value.kind !== "dense" || value.shape.length > 0)) return numRowsOf(value);
  // A SparseTensor throws if its `shape` is read.
  if (value instanceof SparseTensor) return value.denseShape[0];
  const { shape } = membersOf(value);
  if (Array.isArray(shape)) return shape.length === 0 ? undefined : Number(shape[0]);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return undefined;
  for (const member of Object.values(value)) {
    const size = leadingSize(member);
    if (size !== undefined) return size;
  }
  return undefined;
}
