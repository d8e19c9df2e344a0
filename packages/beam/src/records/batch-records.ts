import type { ParDoLookupParam } from "apache-beam/transforms/pardo";
import type { Window, WindowedValue } from "apache-beam/values";
import type { RecordBatch } from "apache-arrow";
import { installRepairs } from "../compat/install-repairs.js";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import { type BatchMetrics, countBatch } from "../transforms/metrics.js";
import { type DecodeRecords, openDecoding, type RecordDecoding } from "./record-decoding.js";
import { type BufferBounds, type WindowBuffer, WindowBuffers } from "./window-buffers.js";

/** The window of the current element, and the metrics to update. */
export interface BatchRecordsContext extends BatchMetrics {
  readonly window: ParDoLookupParam<Window>;
}

/** Resources of a DoFn in a worker. They are not serialized with the DoFn, and serve all of its bundles. */
interface Resources {
  readonly decode: DecodeRecords;
  readonly buffers: WindowBuffers;
}

/** For each DoFn, the promise of its resources, created when the DoFn receives its first element. */
const opening = new WeakMap<BatchRecords, Promise<Resources>>();
/** The same resources after they have been opened. `finishBundle` is synchronous, so it cannot await `opening`. */
const opened = new WeakMap<BatchRecords, Resources>();

/** Decodes records into batches. All records of a batch have the same window. Only `settings` is serialized into a pipeline. */
export class BatchRecords implements AsyncDoFn<Uint8Array, RecordBatch, BatchRecordsContext> {
  readonly settings: string;

  constructor(settings: { readonly decoding: RecordDecoding; readonly bounds: BufferBounds }) {
    this.settings = JSON.stringify(settings);
  }

  /** Handles one record. The SDK calls this method once for each window of the record. */
  async *processAsync(
    record: Uint8Array,
    context: BatchRecordsContext,
  ): AsyncGenerator<RecordBatch, void, undefined> {
    const { decode, buffers } = await resourcesOf(this);
    const ready = buffers.add(context.window.lookup(), record);
    if (ready !== undefined) yield* batchesOf(ready, decode, context);
  }

  /**
   * Yields the batches of the remaining buffers. The timestamp of a batch is the end of its window, as with `BatchElements` in
   * Beam's Python SDK.
   */
  *finishBundle(context: BatchRecordsContext): Generator<WindowedValue<RecordBatch>, void, undefined> {
    const resources = opened.get(this);
    if (resources === undefined) return;
    const { PaneInfoCoder } = installRepairs().coders;
    for (const buffer of resources.buffers.drain()) {
      const { window } = buffer;
      for (const value of batchesOf(buffer, resources.decode, context)) {
        yield {
          value,
          windows: [window],
          timestamp: window.maxTimestamp(),
          pane: PaneInfoCoder.ONE_AND_ONLY_FIRING,
        };
      }
    }
  }
}

function resourcesOf(doFn: BatchRecords): Promise<Resources> {
  let resources = opening.get(doFn);
  if (resources === undefined) {
    resources = openResources(doFn);
    opening.set(doFn, resources);
  }
  return resources;
}

async function openResources(doFn: BatchRecords): Promise<Resources> {
  const { decoding, bounds } = JSON.parse(doFn.settings) as {
    readonly decoding: RecordDecoding;
    readonly bounds: BufferBounds;
  };
  const resources = { decode: await openDecoding(decoding), buffers: new WindowBuffers(bounds) };
  opened.set(doFn, resources);
  return resources;
}

/** Yields the batch of a buffer, or nothing if every record was skipped. */
function* batchesOf(
  { records }: WindowBuffer,
  decode: DecodeRecords,
  metrics: BatchMetrics,
): Generator<RecordBatch, void, undefined> {
  const { batch, numSkipped } = decode(records);
  if (numSkipped > 0) metrics.skipped.increment(numSkipped);
  if (batch.numRows === 0) return;
  countBatch(metrics, batch);
  yield batch;
}
