import type { ParDoLookupParam } from "apache-beam/transforms/pardo";
import type { Window, WindowedValue } from "apache-beam/values";
import type { RecordBatch } from "apache-arrow";
import { installRepairs } from "../compat/install-repairs.js";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import { type BatchMetrics, countBatch } from "../transforms/metrics.js";
import { type DecodeRecords, openDecoding, type RecordDecoding } from "./record-decoding.js";
import { type BufferBounds, type WindowBuffer, WindowBuffers } from "./window-buffers.js";

/** The window of the current element, and metrics. */
export interface BatchRecordsContext extends BatchMetrics {
  readonly window: ParDoLookupParam<Window>;
}

/** Resources of a DoFn in a worker. They cannot travel, and outlive a bundle. */
interface Workshop {
  readonly decode: DecodeRecords;
  readonly buffers: WindowBuffers;
}

const workshops = new WeakMap<BatchRecords, Promise<Workshop>>();
/** The workshop of each DoFn that has processed an element, for `finishBundle`, which cannot wait. */
const opened = new WeakMap<BatchRecords, Workshop>();

/** Decodes records into batches, each of records of one window. Travels like `ReadUnits`. */
export class BatchRecords implements AsyncDoFn<Uint8Array, RecordBatch, BatchRecordsContext> {
  readonly settings: string;

  constructor(settings: { readonly decoding: RecordDecoding; readonly bounds: BufferBounds }) {
    this.settings = JSON.stringify(settings);
  }

  /** The SDK gives an element of several windows to each of them in turn. */
  async *processAsync(
    record: Uint8Array,
    context: BatchRecordsContext,
  ): AsyncGenerator<RecordBatch, void, undefined> {
    const { decode, buffers } = await workshopOf(this);
    const ready = buffers.add(context.window.lookup(), record);
    if (ready !== undefined) yield* batchesOf(ready, decode, context);
  }

  /** The batches of the remaining buffers, at the end of their window, as Python's `BatchElements` gives them. */
  *finishBundle(context: BatchRecordsContext): Generator<WindowedValue<RecordBatch>, void, undefined> {
    const workshop = opened.get(this);
    if (workshop === undefined) return;
    const { PaneInfoCoder } = installRepairs().coders;
    for (const buffer of workshop.buffers.drain()) {
      const { window } = buffer;
      for (const value of batchesOf(buffer, workshop.decode, context)) {
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

function workshopOf(doFn: BatchRecords): Promise<Workshop> {
  let workshop = workshops.get(doFn);
  if (workshop === undefined) {
    workshop = openWorkshop(doFn);
    workshops.set(doFn, workshop);
  }
  return workshop;
}

async function openWorkshop(doFn: BatchRecords): Promise<Workshop> {
  const { decoding, bounds } = JSON.parse(doFn.settings) as {
    readonly decoding: RecordDecoding;
    readonly bounds: BufferBounds;
  };
  const workshop = { decode: await openDecoding(decoding), buffers: new WindowBuffers(bounds) };
  opened.set(doFn, workshop);
  return workshop;
}

/** The batch of a buffer. None if every record was skipped. */
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
