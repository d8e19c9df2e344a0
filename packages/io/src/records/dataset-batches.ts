import type { ReadOptions } from "@tfxio/format";
import type { HostColumn, HostColumns } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { CallerItems } from "./caller-items.js";
import { disposeElement, namedParts } from "./element-parts.js";
import { readPart } from "./read-part.js";

/** A dataset of batches. Datasets of `@tfxio/dataset` and of TensorFlow.js both satisfy it. */
export interface BatchDataset {
  /**
   * Starts a pass. The caller of `next()` owns the elements and disposes their tensors. When a pass ends early, its `return`
   * method is called, if it has one.
   */
  iterator(): Promise<DatasetPass>;
  /** Number of elements, as in `@tfxio/dataset`. `"infinite"` is rejected. */
  cardinality?(): number | string;
  /** Number of elements, as in TensorFlow.js. `Infinity` is rejected. */
  readonly size?: number | null;
}

/** One pass over a {@link BatchDataset}. */
export interface DatasetPass {
  next(): Promise<{ readonly value: unknown; readonly done?: boolean | undefined }>;
  return?(): Promise<unknown>;
}

/** Yields the elements of one pass as host columns by tensor name. Disposes the tensors of every element after reading it. */
export async function* readElements(
  dataset: BatchDataset,
  featureNames: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<HostColumns, void, undefined> {
  const items = new CallerItems<unknown>({
    open: async () => (await dataset.iterator()) as AsyncIterator<unknown, unknown>,
    operator: "dataset",
    signal,
    discard: disposeElement,
  });
  try {
    for (;;) {
      const next = await items.next();
      if (next?.done === true) return;
      if (next !== undefined) yield await readElement(next.value, featureNames);
    }
  } finally {
    await items.close();
  }
}

/** Yields the record batches of one pass: one for each element that has rows. */
export async function* batchElements(
  elements: AsyncIterable<HostColumns>,
  convert: (tensors: HostColumns) => RecordBatch,
  { onProgress }: ReadOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  let [row, numRows, numBytes] = [0, 0, 0];
  for await (const tensors of elements) {
    const batch = convert(tensors);
    if (batch.numRows === 0) continue;
    row += batch.numRows;
    numRows += batch.numRows;
    numBytes += batch.data.byteLength;
    onProgress?.({ position: { row }, numRows, numBytes, numSkipped: 0 });
    yield batch;
  }
}

async function readElement(
  element: unknown,
  featureNames: readonly string[] | undefined,
): Promise<HostColumns> {
  try {
    const parts = namedParts(element, featureNames);
    if (parts.length === 0) throw withoutParts();
    const columns = await Promise.all(
      parts.map(async (part): Promise<[string, HostColumn]> => [part.name, await readPart(part)]),
    );
    return Object.fromEntries(columns);
  } finally {
    disposeElement(element);
  }
}

function withoutParts(): ConversionError {
  return new ConversionError(
    "not-convertible",
    "An element of the dataset has no parts, expected at least one tensor.",
    {
      reason: "not-a-batch",
    },
  );
}
