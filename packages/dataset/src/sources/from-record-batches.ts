import { PassCount } from "../checkpoint/pass-count.js";
import { UNORDERED } from "../checkpoint/pass-log.js";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { type BatchConversion, type BatchRows, rowsOfBatch } from "../blocks/batch-rows.js";
import { type Block, convertedRows, sliceBlock } from "../blocks/block.js";
import { BlockQueue } from "../blocks/block-queue.js";
import type { Cardinality } from "../cardinality.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { FactoryItems, type Items } from "./factory-items.js";

/** Returns the record batches of one pass. Called once per pass, on its first `next()`. */
export type RecordBatchFactory = (options: {
  /** Aborted when the pass ends early. Stop waiting and close open resources. */
  readonly signal: AbortSignal;
  /** Pass number, from 0. Passes are counted by their first read, over all iterators and repeats. */
  readonly pass: number;
  /** The same in every pass. Derive a random order from it and `pass`. */
  readonly seed: number;
}) => Items<RecordBatch>;

/** Settings of the conversion from record batches to rows. */
export interface BatchSettings extends BatchConversion {
  /** True if `toHost` converts each row independently, so that its results can be sliced into smaller batches. */
  readonly independentRows: boolean;
  readonly cardinality: () => Cardinality;
  /** True if each pass returns the rows in a different order. */
  readonly reshuffled: boolean;
  /** Undefined to draw a seed. */
  readonly seed: number | undefined;
  /** Description of anything else that determines the order. */
  readonly description: string | undefined;
  /** True if the factory returns a pass's rows in the same order each time it is called for that pass. */
  readonly ordered: boolean;
}

/** The rows of a factory's record batches. */
export function recordBatchesPlan(factory: RecordBatchFactory, settings: BatchSettings): Plan {
  const passCount = new PassCount(settings.seed);
  const open = ({ signal, log }: Pass): Items<RecordBatch> => {
    if (!settings.ordered) log.refuse("fromRecordBatches", UNORDERED);
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

/** A stream of the rows of record batches that takes no pass number. Calls `create` on the first read. */
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
    this.#items = new FactoryItems(() => open(pass), "fromRecordBatches", signal);
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
      const batch = await this.#items.next();
      if (batch === null) return null;
      this.#assertBatch(batch);
      if (batch.numRows > 0) return batch;
    }
  }

  #assertBatch(batch: RecordBatch): void {
    const schema = (batch as Partial<RecordBatch> | undefined)?.schema;
    if (schema === this.#lastSchema) return;
    if (!Array.isArray(schema?.fields)) {
      throw new ArgumentError(
        "invalid-argument",
        `fromRecordBatches: the factory returned ${String(batch)}, expected a RecordBatch`,
        { argument: "factory" },
      );
    }
    const [expected, actual] = [columnsOf(this.#settings.arrowSchema), columnsOf(schema)];
    if (expected !== actual) {
      throw new SchemaError(
        "schema-mismatch",
        `fromRecordBatches: a batch has columns ${actual}, expected ${expected} as in arrowSchema`,
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

/** Column names and types, which must match in all batches. Metadata may differ. */
function columnsOf({ fields }: ArrowSchema): string {
  return fields.map(({ name, type }) => `"${name}": ${type}`).join(", ");
}
