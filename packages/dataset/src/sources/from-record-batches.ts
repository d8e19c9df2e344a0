import { PassCount } from "../checkpoint/pass-count.js";
import { UNORDERED } from "../checkpoint/pass-log.js";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { type BatchConversion, type BatchRows, rowsOfBatch } from "../blocks/batch-rows.js";
import { type Block, convertedRows, sliceBlock } from "../blocks/block.js";
import { BlockQueue } from "../blocks/block-queue.js";
import type { Cardinality } from "../cardinality.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { FactoryItems, type Items } from "./factory-items.js";

/** Returns the record batches of one pass. Called once per pass, at its first `next()`. */
export type RecordBatchFactory = (options: {
  /**
   * Aborted when the pass closes, even if the pass has reached its end. The factory must then stop waiting and close its
   * resources.
   */
  readonly signal: AbortSignal;
  /** Number of the pass, from 0. Counts the passes of all iterators and repeats, in the order of their first reads. */
  readonly pass: number;
  /** Equal in all passes. A factory with a random order must compute the order from this seed and `pass`. */
  readonly seed: number;
}) => Items<RecordBatch>;

/** Settings of {@link recordBatchesPlan}. */
export interface BatchSettings extends BatchConversion {
  /** True if `toHost` converts each row independently, so that its results can be sliced into smaller batches. */
  readonly independentRows: boolean;
  /** Returns the number of rows in one pass, as far as it is known. */
  readonly cardinality: () => Cardinality;
  /** True if each pass returns the rows in a different order. */
  readonly reshuffled: boolean;
  /** Seed for the factory. If undefined, a random seed is drawn. */
  readonly seed: number | undefined;
  /**
   * Text that identifies the source of the rows, and all settings that affect the rows or their order, except the schema and the
   * seed. Checkpoints compare it.
   */
  readonly description: string | undefined;
  /** True if the factory returns the rows in the same order in every call with the same `pass` and `seed`. */
  readonly ordered: boolean;
}

/** Returns a plan of the rows of the factory's record batches. */
export function recordBatchesPlan(factory: RecordBatchFactory, settings: BatchSettings): Plan {
  const passCount = new PassCount(settings.seed);
  const open = ({ signal, log }: Pass): Items<RecordBatch> => {
    if (!settings.ordered) log.reject("fromRecordBatches", UNORDERED);
    const pass = log.take(passCount, "fromRecordBatches");
    return factory({ signal, pass, seed: passCount.seed });
  };
  return {
    node: {
      name: "fromRecordBatches",
      settings: [columnsOf(settings.arrowSchema), settings.seed ?? null, settings.description ?? null],
      inputs: [],
      passCount,
    },
    cardinality: settings.cardinality,
    tf: undefined,
    reshuffles: settings.reshuffled,
    moved: { arrowSchema: settings.arrowSchema },
    open: (pass) => new RecordBatchesStream(open, settings, pass),
  };
}

/**
 * Opens a stream of the rows of the record batches that `create` returns. Calls `create` at the first read. Unlike
 * {@link recordBatchesPlan}, does not count passes.
 */
export function openRecordBatches(
  create: () => Items<RecordBatch>,
  settings: BatchSettings,
  pass: Pass,
): BlockStream {
  return new RecordBatchesStream(create, settings, pass);
}

class RecordBatchesStream implements BlockStream {
  readonly #items: FactoryItems<RecordBatch>;
  readonly #settings: BatchSettings;
  readonly #pass: Pass;
  readonly #convertsFirst: boolean;
  readonly #ready: BlockQueue = new BlockQueue();
  #pieces: Iterator<Block> = [][Symbol.iterator]();
  #lastSchema: ArrowSchema;

  constructor(open: (pass: Pass) => Items<RecordBatch>, settings: BatchSettings, pass: Pass) {
    const { signal, keepsRecordBatches } = pass;
    this.#items = new FactoryItems(() => open(pass), settings.operator, signal);
    this.#settings = settings;
    this.#pass = pass;
    this.#convertsFirst = settings.independentRows && !keepsRecordBatches;
    this.#lastSchema = settings.arrowSchema;
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const rows = this.#ready.read(maxRows);
      if (rows !== null) return rows;
      const piece = this.#pieces.next();
      if (piece.done !== true) {
        this.#ready.push(piece.value);
        continue;
      }
      const batch = await this.#nextBatch();
      if (batch === null) return null;
      const whole = rowsOfBatch(batch, this.#settings);
      this.#pieces = this.#piecesOf(whole);
    }
  }

  /** Skips whole batches without converting them. */
  async skip(numRows: number): Promise<number> {
    let numLeft = numRows;
    while (numLeft > 0) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const piece = this.#ready.read(numLeft) ?? nextOf(this.#pieces);
      if (piece !== undefined) {
        const numSkipped = Math.min(numLeft, piece.numRows);
        if (numSkipped < piece.numRows) this.#ready.push(sliceBlock(piece, numSkipped, piece.numRows));
        numLeft -= numSkipped;
        continue;
      }
      const batch = await this.#nextBatch();
      if (batch === null) break;
      if (batch.numRows <= numLeft) numLeft -= batch.numRows;
      else this.#pieces = this.#piecesOf(rowsOfBatch(batch, this.#settings));
    }
    return numRows - numLeft;
  }

  async close(): Promise<void> {
    this.#ready.dispose();
    this.#pieces = [][Symbol.iterator]();
    await this.#items.close();
  }

  #piecesOf(whole: BatchRows): Iterator<Block> {
    return this.#convertsFirst ? convertedRows(whole) : [whole][Symbol.iterator]();
  }

  async #nextBatch(): Promise<RecordBatch | null> {
    for (;;) {
      const next = await this.#items.next();
      if (next === null) return null;
      const [batch] = next;
      this.#assertBatch(batch);
      if (batch.numRows > 0) return batch;
    }
  }

  #assertBatch(batch: RecordBatch): void {
    const schema = (batch as Partial<RecordBatch> | undefined)?.schema;
    if (schema === this.#lastSchema) return;
    const { operator, arrowSchema } = this.#settings;
    if (!Array.isArray(schema?.fields)) {
      throw new ArgumentError(
        "invalid-argument",
        `${operator}: the factory must return instances of RecordBatch, found ${describeValue(batch)}.`,
        { argument: "factory" },
      );
    }
    const [expected, actual] = [columnsOf(arrowSchema), columnsOf(schema)];
    if (expected !== actual) {
      throw new SchemaError(
        "schema-mismatch",
        `${operator}: a batch must have the columns of arrowSchema (${expected}), found (${actual}).`,
        { reason: "batch-schema", expected, actual },
      );
    }
    this.#lastSchema = schema;
  }
}

function nextOf(blocks: Iterator<Block>): Block | undefined {
  const { done, value } = blocks.next();
  return done === true ? undefined : value;
}

/** Describes the names and types of all columns. They must be equal in all batches, but metadata may differ. */
function columnsOf({ fields }: ArrowSchema): string {
  return fields.map(({ name, type }) => `"${name}": ${type}`).join(", ");
}
