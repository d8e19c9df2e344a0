import { type ByteSource, Random, type RecordBlock } from "@tfxio/wire";
import type { ContainerContext, RecordContainer, RecordPart } from "./record-format-parts.js";
import { BlockCursor } from "./block-cursor.js";
import type { FeedParts, RecordFeed } from "./record-feed.js";
import { RecordPool } from "./record-pool.js";
import { StagedRecords } from "./staged-records.js";

/** Maximum number of sources that are read concurrently, so that their rows mix. Each holds one or two chunks in memory. */
const MAX_OPEN_SOURCES = 8;
/** Number of records that a source contributes per turn. It contributes fewer to a small pool, to avoid overfilling it. */
const TURN_RECORDS = 16;
/** Largest share of the pool that a source contributes per turn. */
const TURN_SHARE = 1 / 64;
/** A turn also ends after this number of bytes, so that large records do not overfill the pool. */
const TURN_BYTES: number = 2 ** 20;
/** Number of bytes at which the pool is full, even with few records. This bound keeps large images from exhausting memory. */
const MAX_POOL_BYTES: number = 256 * 2 ** 20;

/** One of the sources whose records mix. */
export interface ShuffledSource {
  readonly source: ByteSource;
  readonly splitIndex: number;
  /** Default: the whole source. */
  readonly part?: RecordPart | undefined;
}

/** Options for drawing records. */
export interface ShuffleSettings {
  readonly seed: number;
  readonly numRows: number;
}

/**
 * Creates a feed of the records of several sources in random order. The sources take turns to keep a pool at `numRows` records or
 * slightly more, and each record is drawn from the pool uniformly. The order depends only on the seed, `numRows` and the sources.
 */
export function createShuffledFeed<Options extends object>(
  sources: readonly ShuffledSource[],
  { container, context, session, rowColumns }: FeedParts<Options>,
  { seed, numRows }: ShuffleSettings,
): RecordFeed {
  const turnRecords = Math.max(1, Math.min(TURN_RECORDS, Math.floor(numRows * TURN_SHARE)));
  const records = new TurnTaking(container, sources, { ...context, from: undefined }, turnRecords);
  const pool = new RecordPool(numRows);
  const random = Random.of(seed, 0);
  const staged = new StagedRecords(
    pool,
    session,
    sources.map(({ source, splitIndex }) => ({ uri: source.uri, splitIndex })),
    rowColumns,
  );
  let numToSkip = context.from?.row ?? 0;
  let numDrawn = 0;
  let isEnded = false;

  // A turn is finished before a record is drawn, so that the order does not depend on the ends of chunks.
  const isShort = (): boolean =>
    !isEnded && (records.isWithinTurn || (pool.length < numRows && pool.numBytes < MAX_POOL_BYTES));
  const fill = async (): Promise<void> => {
    while (isShort()) if (!records.addTo(pool)) isEnded = !(await records.advance());
  };

  return {
    async fillBatch(limits) {
      for (;;) {
        const maxRows = limits.maxRows - session.numRows;
        while (!staged.isFull && staged.length < maxRows) {
          if (isShort()) await fill();
          if (pool.length === 0) break;
          const slot = random.below(pool.length);
          if (numToSkip > 0) pool.remove(slot);
          else staged.draw(slot);
          numToSkip = Math.max(0, numToSkip - 1);
          numDrawn++;
        }
        if (staged.length === 0) return false;
        if (staged.push(limits)) return true;
      }
    },
    position: () => ({ row: numDrawn - staged.length }),
    numBytes: () => records.numBytes,
    placed: (error) => staged.placed(error),
    close: async () => {
      pool.clear();
      staged.clear();
      await records.close();
    },
  };
}

/** Reads the records of several sources in turns. When a source ends, the next waiting source takes its place. */
class TurnTaking<Options extends object> {
  readonly #container: RecordContainer<Options>;
  readonly #context: ContainerContext<Options>;
  readonly #turnRecords: number;
  readonly #waiting: (Pick<ShuffledSource, "source" | "part"> & { readonly index: number })[];
  readonly #active: { readonly cursor: BlockCursor<Options>; readonly index: number }[] = [];
  #turn = 0;
  /** Number of records that the current source has contributed in this turn. A turn may span blocks. */
  #numInTurn = 0;
  #bytesInTurn = 0;
  #numBytesEnded = 0;

  constructor(
    container: RecordContainer<Options>,
    sources: readonly ShuffledSource[],
    context: ContainerContext<Options>,
    turnRecords: number,
  ) {
    this.#turnRecords = turnRecords;
    this.#container = container;
    this.#context = context;
    this.#waiting = sources.map(({ source, part }, index) => ({ source, part, index }));
  }

  /** True while the turn of the current source is unfinished. */
  get isWithinTurn(): boolean {
    return this.#numInTurn > 0;
  }

  get numBytes(): number {
    return this.#active.reduce((sum, { cursor }) => sum + cursor.numBytes, this.#numBytesEnded);
  }

  /**
   * Copies records of the current source to the pool. Returns false if the source has no record in memory; then call
   * {@link advance}.
   */
  addTo(pool: RecordPool): boolean {
    const active = this.#active[this.#turn];
    if (active === undefined || !active.cursor.hasRecord) return false;
    const { cursor, index } = active;
    const block = cursor.block as RecordBlock;
    const first = cursor.taken;
    let end = first;
    while (end < block.numRecords && !this.#isTurnOver()) {
      this.#bytesInTurn += Math.max(0, block.ends[end]! - block.starts[end]!);
      this.#numInTurn++;
      end++;
    }
    pool.add(block, first, end, index);
    cursor.take(end - first);
    if (this.#isTurnOver()) this.#passTurn(this.#turn + 1);
    return true;
  }

  /**
   * Reads the next block of the current source. If that source has ended, continues with the next one. Returns false when all
   * sources have ended.
   */
  async advance(): Promise<boolean> {
    while (this.#active.length < MAX_OPEN_SOURCES && this.#waiting.length > 0)
      this.#openNext(this.#active.length);
    for (;;) {
      const active = this.#active[this.#turn];
      if (active === undefined) return false;
      if (active.cursor.hasRecord || (await active.cursor.advance())) return true;
      this.#numBytesEnded += active.cursor.numBytes;
      await active.cursor.close();
      if (this.#waiting.length > 0) {
        this.#openNext(this.#turn);
        this.#passTurn(this.#turn + 1);
      } else {
        this.#active.splice(this.#turn, 1);
        this.#passTurn(this.#turn);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#active.map(({ cursor }) => cursor.close()));
  }

  #isTurnOver(): boolean {
    return this.#numInTurn >= this.#turnRecords || this.#bytesInTurn >= TURN_BYTES;
  }

  #passTurn(place: number): void {
    this.#turn = place < this.#active.length ? place : 0;
    this.#numInTurn = this.#bytesInTurn = 0;
  }

  #openNext(place: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const { source, part, index } = next;
    const cursor = new BlockCursor(this.#container, source, { ...this.#context, part });
    this.#active[place] = { cursor, index };
  }
}
