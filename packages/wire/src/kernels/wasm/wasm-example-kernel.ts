import { compareBytes } from "../compare-bytes.js";
import {
  type ColumnBuffers,
  type ExampleBatch,
  type ExampleKernel,
  type ExamplePlan,
  FeatureKind,
  type FramedOptions,
  type KernelLimits,
  KernelStatus,
  type PushResult,
} from "../kernels.js";
import {
  type ColumnDescription,
  ColumnRole,
  describeColumn,
  describePlan,
  encodeColumns,
} from "./column-description.js";
import { ColumnRecord } from "./column-record.js";
import type { Engine } from "./engine.js";
import type { EnginePool } from "./engine-pool.js";
import { emptyColumn, type NamedColumn, ownedColumns } from "./owned-columns.js";

/** Pieces of input grow up to this when records are large, so that few of them are copied twice. */
const MAX_WINDOW_BYTES: number = 2 * 2 ** 20;
/** Records whose bounds are handed over at once. */
const MAX_BOUNDS = 8192;

/** `UnlistedPolicy`, by the numbers of assembly/record.as. */
const Policy = { drop: 0, error: 1, discover: 2 } as const;

/** The wasm twin of the tf.Example decoder: has an engine while a batch is in the making. */
export class WasmExampleKernel implements ExampleKernel {
  numRows = 0;
  numSkipped = 0;
  readonly #pool: EnginePool;
  readonly #policy: number;
  readonly #isSkipping: boolean;
  readonly #isSorted: boolean;
  readonly #keepsRaw: boolean;
  readonly #planned: readonly ColumnDescription[];
  /** The planned columns, and behind them those that the last batch had as well. */
  #known: readonly ColumnDescription[];
  readonly #names = new TextDecoder("utf-8", { ignoreBOM: true });
  #engine: Engine | null = null;
  #rowHint = 0;
  #rawHint = 0;
  #numSkippedBefore = 0;

  constructor(pool: EnginePool, plan: ExamplePlan) {
    const { columns, only, unlisted = "drop", keepRawRecords = false, onMalformed = "error" } = plan;
    const policy = columns !== undefined ? unlisted : only !== undefined ? "drop" : "discover";
    this.#pool = pool;
    this.#policy = Policy[policy];
    this.#isSkipping = onMalformed === "skip";
    this.#isSorted = columns === undefined;
    this.#keepsRaw = keepRawRecords;
    this.#planned = describePlan(plan);
    this.#known = this.#planned;
  }

  get numBytes(): number {
    return this.#engine?.exports.numBytes() ?? 0;
  }

  pushRecords(
    bytes: Uint8Array,
    starts: Uint32Array,
    ends: Uint32Array,
    from: number,
    to: number,
    limits: KernelLimits,
  ): PushResult {
    const engine = this.#begin();
    let index = from;
    let isFull = false;
    do {
      const low = starts[index] ?? 0;
      let high = low;
      let next = index;
      // As many of the next records as lie in one piece of input; one at least.
      while (next < to && next - index < MAX_BOUNDS) {
        const start = starts[next]!;
        const end = ends[next]!;
        if (next > index && (start < low || end - low > (engine?.windowBytes ?? 0))) break;
        high = Math.max(high, end);
        next++;
      }
      const count = next - index;
      const input = engine?.load(bytes, low, high, 8 + count * 8) ?? 0;
      if (engine === null || input === 0) return this.#refused(index - from, index - from, low);
      const bounds = Math.ceil((input + high - low) / 8) * 8;
      const { words } = engine;
      for (let i = 0, w = bounds >>> 2; i < count; i++, w += 2) {
        const start = starts[index + i]! - low;
        words[w] = start;
        words[w + 1] = Math.max(start, ends[index + i]! - low);
      }
      const status = engine.exports.pushRecords(bounds, count, limits.maxRows, limits.maxBytes);
      this.#advance(engine);
      index += engine.numRecords;
      const taken = index - from;
      if (status !== KernelStatus.ok) return this.#failed(engine, status, taken, taken, low - input);
      isFull = engine.isFull;
    } while (!isFull && index < to);
    return done(index - from, index - from, isFull);
  }

  pushTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: KernelLimits,
    options: FramedOptions,
  ): PushResult {
    const { verifyPayload, maxRecordBytes } = options;
    const engine = this.#begin();
    let p = start;
    let numRecords = 0;
    let windowBytes = engine?.windowBytes ?? 0;
    for (;;) {
      const windowEnd = Math.min(p + windowBytes, end);
      const input = engine?.load(bytes, p, windowEnd) ?? 0;
      if (engine === null || input === 0) return this.#refused(p - start, numRecords, p);
      const status = engine.exports.pushFrames(
        windowEnd - p,
        limits.maxRows,
        limits.maxBytes,
        verifyPayload,
        maxRecordBytes,
      );
      const moved = p - input;
      this.#advance(engine);
      p += engine.consumed;
      numRecords += engine.numRecords;
      if (status !== KernelStatus.ok) return this.#failed(engine, status, p - start, numRecords, moved);
      const { frameBytes, isFull } = engine;
      if (isFull || windowEnd === end || p + frameBytes > end) return done(p - start, numRecords, isFull);
      windowBytes = Math.max(windowBytes, Math.min(frameBytes * 4, MAX_WINDOW_BYTES), frameBytes);
    }
  }

  finish(): ExampleBatch {
    const { numRows } = this;
    const numSkipped = this.numSkipped - this.#numSkippedBefore;
    const engine = this.#engine;
    const batch = engine === null ? this.#emptyBatch() : this.#takeBatch(engine);
    this.#end();
    return { numRows, numSkipped, ...batch };
  }

  reset(): void {
    this.#known = this.#planned;
    this.#end();
  }

  /** The engine of the batch in the making; null when there is none and memory for one is refused. */
  #begin(): Engine | null {
    if (this.#engine !== null) return this.#engine;
    const engine = this.#pool.borrow();
    if (engine === null) return null;
    const { exports } = engine;
    const columns = encodeColumns(this.#known);
    const isReady =
      exports.begin(this.#policy, this.#isSkipping, this.#rowHint, this.#keepsRaw) !== 0 &&
      engine.load(columns, 0, columns.length) !== 0 &&
      exports.addColumns(this.#known.length) !== 0;
    if (!isReady) return null;
    if (this.#keepsRaw) exports.hintRaw(this.#rawHint);
    this.#engine = engine;
    return engine;
  }

  /** Ends the batch in the making. */
  #end(): void {
    if (this.#engine !== null) this.#pool.giveBack(this.#engine);
    this.#engine = null;
    this.numRows = 0;
    this.#numSkippedBefore = this.numSkipped;
  }

  #advance(engine: Engine): void {
    this.numRows = engine.exports.rows();
    this.numSkipped += engine.numSkipped;
  }

  /** @param moved what to add to an address of the input for its offset in the pushed bytes */
  #failed(engine: Engine, status: number, consumed: number, numRecords: number, moved: number): PushResult {
    const result = {
      status: status as KernelStatus,
      consumed,
      numRecords,
      isFull: false,
      errorOffset: engine.errorAt + moved,
    };
    if (status !== KernelStatus.wrongKind && status !== KernelStatus.unlistedFeature) {
      this.reset();
      return result;
    }
    const misfit = new ColumnRecord(engine, engine.misfit);
    const featureName = this.#names.decode(misfit.key);
    const actualKind = misfit.misfitKind;
    const expectedKind = status === KernelStatus.wrongKind ? misfit.kind : undefined;
    this.reset();
    return { ...result, featureName, expectedKind, actualKind };
  }

  #refused(consumed: number, numRecords: number, errorOffset: number): PushResult {
    this.reset();
    return { status: KernelStatus.batchTooLarge, consumed, numRecords, isFull: false, errorOffset };
  }

  #takeBatch(engine: Engine): Pick<ExampleBatch, "columns" | "rawRecords"> {
    const { numRows } = this;
    const columns: (NamedColumn & { readonly key: Uint8Array })[] = [];
    const known: ColumnDescription[] = [];
    let address = engine.exports.finish() >>> 0;
    for (let i = 0; address !== 0; i++) {
      const record = new ColumnRecord(engine, address);
      const description = this.#known[i] ?? this.#describe(record);
      address = record.next;
      if (record.isSighted || description.role !== ColumnRole.discovered) known.push(description);
      if (!record.isSighted || description.role === ColumnRole.ignored) continue;
      description.valueHint = withHeadroom(record.numValues);
      description.byteHint = withHeadroom(record.numBytes);
      columns.push({ name: description.name, key: description.key, record });
    }
    this.#known = known;
    this.#rowHint = withHeadroom(numRows);
    if (this.#isSorted) columns.sort((a, b) => compareBytes(a.key, b.key));
    if (!this.#keepsRaw) return { columns: ownedColumns(engine, columns, numRows) };
    const raw = new ColumnRecord(engine, engine.exports.rawColumn());
    this.#rawHint = withHeadroom(raw.numBytes);
    const owned = ownedColumns(engine, [...columns, { name: "", record: raw }], numRows);
    return withRawRecords(owned);
  }

  #describe(record: ColumnRecord): ColumnDescription {
    const { key } = record;
    return describeColumn(this.#names.decode(key), ColumnRole.discovered, FeatureKind.unset, key);
  }

  #emptyBatch(): Pick<ExampleBatch, "columns" | "rawRecords"> {
    const columns = this.#planned
      .filter(({ role }) => role === ColumnRole.planned)
      .map(({ name, kind }) => emptyColumn(name, kind));
    return this.#keepsRaw ? withRawRecords([...columns, emptyColumn("", FeatureKind.bytes)]) : { columns };
  }
}

/** Takes the raw records from behind the columns. */
function withRawRecords(columns: readonly ColumnBuffers[]): Pick<ExampleBatch, "columns" | "rawRecords"> {
  const raw = columns.at(-1);
  if (raw?.valueOffsets === undefined || !(ArrayBuffer.isView(raw.values) && raw.kind === FeatureKind.bytes))
    return { columns };
  const { valueOffsets } = raw;
  return { columns: columns.slice(0, -1), rawRecords: { valueOffsets, values: raw.values as Uint8Array } };
}

function withHeadroom(used: number): number {
  return used + (used >>> 3);
}

function done(consumed: number, numRecords: number, isFull: boolean): PushResult {
  return { status: KernelStatus.ok, consumed, numRecords, isFull, errorOffset: -1 };
}
