import { DEFAULT_MAX_COLUMNS } from "../../limits.js";
import type { BatchLimits, FramedOptions } from "../../record-block.js";
import { Appended, appendBytes } from "./append-values.js";
import { EntryMap, type FoundColumns } from "./entry-map.js";
import { ExampleColumn } from "./example-column.js";
import { FeatureListValues } from "./feature-list-values.js";
import { FeatureValues } from "./feature-values.js";
import {
  type ColumnsPlan,
  type ExampleKernel,
  type ExamplePlan,
  FeatureKind,
  KernelStatus,
  type PushResult,
  type SequenceExampleBatch,
  type SequenceExampleKernel,
  type SequenceExamplePlan,
} from "../kernels.js";
import { MessageScan } from "./message-scan.js";
import { RecordDecoder } from "./record-decoder.js";
import { checkFrame, FRAME_HEAD, FRAME_TAIL, INCOMPLETE } from "../tfrecord-frame.js";

/** Maximum ratio of output to input. A one-byte varint becomes an int64 of eight bytes, plus one byte in the raw record. */
const MAX_GROWTH = 9;

/** Settings of {@link createExampleKernel} that are not part of a plan. */
export interface ExampleKernelSettings {
  /** Whether to decode every entry on the strict path, for tests that compare it with the fast path. Default false. */
  readonly isStrict?: boolean;
}

/** Creates the TypeScript implementation of the tf.Example decoder. */
export function createExampleKernel(plan: ExamplePlan, settings: ExampleKernelSettings = {}): ExampleKernel {
  return new TypescriptKernel(plan, null, settings);
}

/** Creates the TypeScript implementation of the tf.SequenceExample decoder. */
export function createSequenceExampleKernel(
  plan: SequenceExamplePlan,
  settings: ExampleKernelSettings = {},
): SequenceExampleKernel {
  return new TypescriptKernel(plan, plan.featureLists, settings);
}

/** Implements both decoders. A decoder of Examples has no plan for feature lists. */
class TypescriptKernel implements SequenceExampleKernel {
  numRows = 0;
  numSkipped = 0;
  private readonly decoder: RecordDecoder;
  private readonly raw: ExampleColumn | null;
  private readonly isSkipping: boolean;
  private readonly found: FoundColumns;
  private numSkippedBefore = 0;
  /** Number of input bytes that can be decoded before the size limit may be reached and `numBytes` must be computed again. */
  private uncounted = 0;
  /** The limit for which `uncounted` was computed. */
  private countedFor = 0;

  constructor(plan: ExamplePlan, featureLists: ColumnsPlan | null, settings: ExampleKernelSettings) {
    const { keepRawRecords = false, onMalformed = "error", rejectsFeatureLists = false } = plan;
    const scan = new MessageScan();
    const found = { count: 0, most: plan.maxColumns ?? DEFAULT_MAX_COLUMNS };
    const ofEntries = { ...settings, found };
    const features = new EntryMap(scan, new FeatureValues(scan), plan, ofEntries);
    const lists =
      featureLists === null ? null : new EntryMap(scan, new FeatureListValues(scan), featureLists, ofEntries);
    this.decoder = new RecordDecoder(scan, features, lists, rejectsFeatureLists && lists === null, found);
    this.found = found;
    this.isSkipping = onMalformed === "skip";
    this.raw = keepRawRecords ? new ExampleColumn("", "planned", FeatureKind.bytes) : null;
  }

  get numBytes(): number {
    return this.decoder.sizeAt(this.numRows) + (this.raw === null ? 0 : this.raw.sizeAt(this.numRows));
  }

  pushRecords(
    bytes: Uint8Array,
    starts: Uint32Array,
    ends: Uint32Array,
    from: number,
    to: number,
    limits: BatchLimits,
  ): PushResult {
    const view = this.load(bytes);
    for (let index = from; index < to; index++) {
      const start = starts[index]!;
      const end = ends[index]!;
      const taken = index - from;
      if (this.isFull(limits)) return done({ consumed: taken, numRecords: taken, isFull: true });
      const status = this.record(view, start, end);
      if (status !== KernelStatus.ok) return this.failed(status, taken, taken);
    }
    return done({ consumed: to - from, numRecords: to - from, isFull: this.isFull(limits) });
  }

  pushTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: BatchLimits,
    options: FramedOptions,
  ): PushResult {
    const view = this.load(bytes);
    let p = start;
    let numRecords = 0;
    while (p < end) {
      if (this.isFull(limits)) return done({ consumed: p - start, numRecords, isFull: true });
      const checked = checkFrame(view, p, end, options);
      if (checked === INCOMPLETE) break;
      if (checked !== KernelStatus.ok) {
        this.decoder.scan.fail(p);
        return this.failed(checked, p - start, numRecords);
      }
      const payload = p + FRAME_HEAD;
      const payloadEnd = payload + view.getUint32(p, true);
      const status = this.record(view, payload, payloadEnd);
      if (status !== KernelStatus.ok) return this.failed(status, p - start, numRecords);
      p = payloadEnd + FRAME_TAIL;
      numRecords++;
    }
    return done({ consumed: p - start, numRecords, isFull: this.isFull(limits) });
  }

  finish(): SequenceExampleBatch {
    const { numRows } = this;
    const { features, lists } = this.decoder;
    const columns = features.presentColumns().map((column) => column.take(numRows));
    let batch: SequenceExampleBatch = {
      numRows,
      columns,
      numSkipped: this.numSkipped - this.numSkippedBefore,
    };
    if (lists !== null) {
      const present = lists.presentColumns();
      const hasLists = lists.isPlanned ? present.length > 0 : this.decoder.firstListsRow >= 0;
      if (hasLists) batch = { ...batch, featureLists: present.map((column) => column.take(numRows)) };
      this.decoder.firstListsRow = -1;
    }
    const raw = this.raw?.take(numRows);
    this.begin();
    if (raw?.valueOffsets === undefined || !(raw.values instanceof Uint8Array)) return batch;
    return { ...batch, rawRecords: { valueOffsets: raw.valueOffsets, values: raw.values } };
  }

  reset(): void {
    this.decoder.restart();
    this.raw?.restart();
    this.begin();
  }

  private begin(): void {
    this.numRows = 0;
    this.found.count = 0;
    this.uncounted = 0;
    this.numSkippedBefore = this.numSkipped;
  }

  private load(bytes: Uint8Array): DataView {
    const { scan } = this.decoder;
    scan.bytes = bytes;
    scan.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return scan.view;
  }

  private isFull(limits: BatchLimits): boolean {
    if (this.numRows >= limits.maxRows) return true;
    if (this.numRows === 0 || (this.uncounted > 0 && this.countedFor === limits.maxBytes)) return false;
    // Counting visits all columns, so it is repeated only when the limit may have been reached.
    this.uncounted = Math.floor((limits.maxBytes - this.numBytes) / MAX_GROWTH);
    this.countedFor = limits.maxBytes;
    return this.uncounted <= 0;
  }

  private record(view: DataView, start: number, end: number): KernelStatus {
    const { decoder, numRows: row } = this;
    const { numSightings } = decoder;
    const status = decoder.decode(start, end, row);
    if (status !== KernelStatus.ok) {
      if (status !== KernelStatus.malformedPayload || !this.isSkipping) return status;
      decoder.forget(row);
      this.numSkipped++;
      return KernelStatus.ok;
    }
    if (this.raw !== null) {
      this.raw.seek(row);
      if (appendBytes(this.raw, decoder.scan.bytes, view, start, end) !== Appended.ok) {
        decoder.scan.fail(start);
        return KernelStatus.batchTooLarge;
      }
      this.raw.commit();
    }
    this.numRows = row + 1;
    // The offsets and bitmap of a column take at most five bytes per row. A new column also needs them for earlier rows.
    this.uncounted =
      numSightings === decoder.numSightings ? this.uncounted - (end - start + decoder.numColumns + 1) : 0;
    return KernelStatus.ok;
  }

  private failed(status: KernelStatus, consumed: number, numRecords: number): PushResult {
    const { mismatch, scan } = this.decoder;
    const result = { status, consumed, numRecords, isFull: false, errorOffset: scan.errorAt };
    this.reset();
    if (mismatch === undefined || status !== mismatch.status) return result;
    const { offset, featureName, expectedKind, actualKind, isFeatureList } = mismatch;
    const found = { ...result, errorOffset: offset, featureName, expectedKind, actualKind };
    return isFeatureList === undefined ? found : { ...found, isFeatureList };
  }
}

function done({
  consumed,
  numRecords,
  isFull,
}: Pick<PushResult, "consumed" | "numRecords" | "isFull">): PushResult {
  return { status: KernelStatus.ok, consumed, numRecords, isFull, errorOffset: -1 };
}
