import {
  type ColumnBuffers,
  type ExampleBatch,
  type ExampleKernel,
  type ExamplePlan,
  FeatureKind,
  type FramedOptions,
  type KernelLimits,
  KernelStatus,
  type Leased,
  type PushResult,
} from "../kernels.js";
import { encodeColumns } from "./column-description.js";
import { ColumnRecord } from "./column-record.js";
import type { Engine } from "./engine.js";
import type { EnginePool } from "./engine-pool.js";
import { KnownColumns, withHeadroom } from "./known-columns.js";
import { emptyColumn, leasedColumns, ownedColumns } from "./owned-columns.js";
import { type InputResult, pushRecords, pushTfRecords } from "./push-input.js";

/** `UnlistedPolicy`, by the numbers of assembly/record.as. */
const Policy = { drop: 0, error: 1, discover: 2 } as const;

/** The wasm twin of the tf.Example decoder: has an engine while a batch is in the making. */
export class WasmExampleKernel implements ExampleKernel {
  numRows = 0;
  numSkipped = 0;
  readonly #pool: EnginePool;
  readonly #policy: number;
  readonly #isSkipping: boolean;
  readonly #keepsRaw: boolean;
  readonly #known: KnownColumns;
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
    this.#keepsRaw = keepRawRecords;
    this.#known = new KnownColumns(plan);
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
    if (engine === null) return this.#refused(starts[from] ?? 0);
    return this.#taken(engine, pushRecords(engine, bytes, starts, ends, from, to, limits));
  }

  pushTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: KernelLimits,
    options: FramedOptions,
  ): PushResult {
    const engine = this.#begin();
    if (engine === null) return this.#refused(start);
    return this.#taken(engine, pushTfRecords(engine, bytes, start, end, limits, options));
  }

  finish(): ExampleBatch {
    const batch = this.#takeBatch(ownedColumns);
    this.#end();
    return batch;
  }

  finishLeased(): Leased<ExampleBatch> {
    const pool = this.#pool;
    const batch = this.#takeBatch(leasedColumns);
    let lent = this.#engine;
    this.#engine = null;
    this.#end();
    return {
      batch,
      release() {
        if (lent !== null) pool.endLease(lent);
        lent = null;
      },
    };
  }

  reset(): void {
    this.#known.reset();
    this.#end();
  }

  /** The engine of the batch in the making; null when there is none and memory for one is refused. */
  #begin(): Engine | null {
    if (this.#engine !== null) return this.#engine;
    const engine = this.#pool.borrow();
    if (engine === null) return null;
    const { exports } = engine;
    const columns = encodeColumns(this.#known.all);
    const isReady =
      exports.begin(this.#policy, this.#isSkipping, this.#rowHint, this.#keepsRaw) !== 0 &&
      engine.load(columns, 0, columns.length) !== 0 &&
      exports.addColumns(this.#known.all.length) !== 0;
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

  #taken(engine: Engine, input: InputResult): PushResult {
    const { numSkipped, ...result } = input;
    const { status } = result;
    this.numRows = engine.exports.rows();
    this.numSkipped += numSkipped;
    if (status === KernelStatus.ok) return result;
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

  /** No engine can be had. */
  #refused(errorOffset: number): PushResult {
    this.reset();
    return { status: KernelStatus.batchTooLarge, consumed: 0, numRecords: 0, isFull: false, errorOffset };
  }

  #takeBatch(lay: typeof ownedColumns): ExampleBatch {
    const { numRows } = this;
    const numSkipped = this.numSkipped - this.#numSkippedBefore;
    const engine = this.#engine;
    if (engine === null) return { numRows, numSkipped, ...this.#emptyBatch() };
    const columns = this.#known.take(engine, engine.exports.finish() >>> 0);
    this.#rowHint = withHeadroom(numRows);
    if (!this.#keepsRaw) return { numRows, numSkipped, columns: lay(engine, columns, numRows) };
    const raw = new ColumnRecord(engine, engine.exports.rawColumn());
    this.#rawHint = withHeadroom(raw.numBytes);
    return {
      numRows,
      numSkipped,
      ...withRawRecords(lay(engine, [...columns, { name: "", record: raw }], numRows)),
    };
  }

  #emptyBatch(): Pick<ExampleBatch, "columns" | "rawRecords"> {
    const columns = this.#known.empty();
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
