import { DEFAULT_MAX_COLUMNS } from "../../limits.js";
import type { BatchLimits, FramedOptions } from "../../record-block.js";
import {
  type ColumnsPlan,
  type ExamplePlan,
  KernelStatus,
  type Leased,
  type PushResult,
  type SequenceExampleBatch,
  type SequenceExampleKernel,
} from "../kernels.js";
import { encodeColumns } from "./column-description.js";
import { ColumnRecord } from "./column-record.js";
import type { KernelInstance } from "./kernel-instance.js";
import type { InstancePool } from "./instance-pool.js";
import { KnownColumns, nextHint } from "./known-columns.js";
import { leasedColumns, ownedColumns } from "./owned-columns.js";
import { type InputResult, pushRecords, pushTfRecords } from "./push-input.js";

/** Policies for names that the plan does not list. The numbers match assembly/entry-column.as. */
const Policy = { drop: 0, error: 1, discover: 2 } as const;
/** The list policy of a decoder of Examples that ignores feature lists. */
const NO_LISTS = 3;
/** The list policy of a decoder of Examples that rejects an Example with feature lists. */
const REJECTED_LISTS = 4;
/** `KernelExports.finish` returns this if it cannot allocate memory, and otherwise the address of the first column. */
const NO_MEMORY = 0xffff_ffff;

/**
 * The wasm decoder of Examples or SequenceExamples. It holds an instance while a batch is under construction. A decoder of
 * Examples has no plan for feature lists.
 */
export class WasmExampleKernel implements SequenceExampleKernel {
  numRows = 0;
  numSkipped = 0;
  readonly #pool: InstancePool;
  readonly #policy: number;
  readonly #listPolicy: number;
  /** True if the plan names the feature lists. Every batch then has them, even if no record does. */
  readonly #plansLists: boolean;
  readonly #isSkipping: boolean;
  readonly #keepsRaw: boolean;
  readonly #maxColumns: number;
  readonly #known: KnownColumns;
  readonly #names = new TextDecoder("utf-8", { ignoreBOM: true });
  #instance: KernelInstance | null = null;
  #rowHint = 0;
  #rawHint = 0;
  #numSkippedBefore = 0;

  constructor(pool: InstancePool, plan: ExamplePlan, featureLists: ColumnsPlan | null) {
    const { keepRawRecords = false, onMalformed = "error", rejectsFeatureLists = false } = plan;
    const { maxColumns = DEFAULT_MAX_COLUMNS } = plan;
    const ofExamples = rejectsFeatureLists ? REJECTED_LISTS : NO_LISTS;
    this.#pool = pool;
    this.#policy = policyOf(plan);
    this.#listPolicy = featureLists === null ? ofExamples : policyOf(featureLists);
    this.#plansLists = featureLists?.columns !== undefined;
    this.#isSkipping = onMalformed === "skip";
    this.#keepsRaw = keepRawRecords;
    this.#maxColumns = Math.min(maxColumns, 0xffff_ffff);
    this.#known = new KnownColumns(plan, featureLists);
  }

  get numBytes(): number {
    return this.#instance?.exports.numBytes() ?? 0;
  }

  pushRecords(
    bytes: Uint8Array,
    starts: Uint32Array,
    ends: Uint32Array,
    from: number,
    to: number,
    limits: BatchLimits,
  ): PushResult {
    const instance = this.#begin();
    if (instance === null) return this.#rejected(starts[from] ?? 0);
    return this.#taken(instance, pushRecords(instance, bytes, starts, ends, from, to, limits));
  }

  pushTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: BatchLimits,
    options: FramedOptions,
  ): PushResult {
    const instance = this.#begin();
    if (instance === null) return this.#rejected(start);
    return this.#taken(instance, pushTfRecords(instance, bytes, start, end, limits, options));
  }

  finish(): SequenceExampleBatch {
    const batch = this.#takeBatch(ownedColumns);
    this.#end();
    return batch;
  }

  finishLeased(): Leased<SequenceExampleBatch> {
    const pool = this.#pool;
    const batch = this.#takeBatch(leasedColumns);
    let lent = this.#instance;
    this.#instance = null;
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

  /** Returns the instance of the current batch, or begins a batch. Returns null if memory cannot be allocated. */
  #begin(): KernelInstance | null {
    if (this.#instance !== null) return this.#instance;
    const instance = this.#pool.borrow();
    if (instance === null) return null;
    const { exports } = instance;
    const columns = encodeColumns(this.#known.all);
    const [policy, listPolicy] = [this.#policy, this.#listPolicy];
    const isReady =
      exports.begin(policy, listPolicy, this.#isSkipping, this.#rowHint, this.#keepsRaw, this.#maxColumns) !==
        0 &&
      instance.load(columns, 0, columns.length) !== 0 &&
      exports.addColumns(this.#known.all.length) !== 0;
    if (!isReady) return null;
    if (this.#keepsRaw) exports.hintRaw(this.#rawHint);
    this.#instance = instance;
    return instance;
  }

  #end(): void {
    if (this.#instance !== null) this.#pool.giveBack(this.#instance);
    this.#instance = null;
    this.numRows = 0;
    this.#numSkippedBefore = this.numSkipped;
  }

  #taken(instance: KernelInstance, input: InputResult): PushResult {
    const { numSkipped, ...result } = input;
    const { status } = result;
    this.numRows = instance.exports.rows();
    this.numSkipped += numSkipped;
    if (status === KernelStatus.ok) return result;
    if (status !== KernelStatus.wrongKind && status !== KernelStatus.unlistedFeature) {
      this.reset();
      return result;
    }
    const mismatch = new ColumnRecord(instance, instance.mismatch);
    const featureName = this.#names.decode(mismatch.key);
    const actualKind = mismatch.mismatchKind;
    const { isList } = mismatch;
    const plannedKind = isList ? mismatch.steps.mismatchKind : mismatch.kind;
    const expectedKind = status === KernelStatus.wrongKind ? plannedKind : undefined;
    this.reset();
    return { ...result, featureName, expectedKind, actualKind, ...(isList && { isFeatureList: true }) };
  }

  /** Returns the result of a push for which no instance is available. */
  #rejected(errorOffset: number): PushResult {
    this.reset();
    return { status: KernelStatus.batchTooLarge, consumed: 0, numRecords: 0, isFull: false, errorOffset };
  }

  #takeBatch(lay: typeof ownedColumns): SequenceExampleBatch {
    const { numRows } = this;
    const numSkipped = this.numSkipped - this.#numSkippedBefore;
    const instance = this.#instance;
    const { columns, featureLists, rawRecords } =
      instance === null ? this.#known.empty({ keepsRaw: this.#keepsRaw }) : this.#layBatch(instance, lay);
    const hasLists = this.#plansLists ? featureLists.length > 0 : instance?.exports.hasFeatureLists() === 1;
    return {
      numRows,
      numSkipped,
      columns,
      ...(hasLists && { featureLists }),
      ...(rawRecords !== undefined && { rawRecords }),
    };
  }

  #layBatch(instance: KernelInstance, lay: typeof ownedColumns): ReturnType<typeof ownedColumns> {
    const { numRows } = this;
    const firstColumn = instance.exports.finish() >>> 0;
    if (firstColumn === NO_MEMORY) {
      this.reset();
      // Throw what the runtime throws if it cannot allocate the batch's buffers.
      throw new RangeError("memory for the last rows of a batch cannot be allocated");
    }
    this.#rowHint = nextHint(this.#rowHint, numRows);
    const growth = numRows === 0 ? Number.POSITIVE_INFINITY : this.#rowHint / numRows;
    const records = this.#known.take(instance, firstColumn, growth);
    const raw = this.#keepsRaw ? new ColumnRecord(instance, instance.exports.rawColumn()) : null;
    if (raw !== null) this.#rawHint = nextHint(this.#rawHint, raw.numBytes, growth);
    return lay(instance, { ...records, raw }, numRows);
  }
}

function policyOf({ columns, only, unlisted = "drop" }: ColumnsPlan): number {
  return Policy[columns !== undefined ? unlisted : only !== undefined ? "drop" : "discover"];
}
