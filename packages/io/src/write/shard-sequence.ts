import { sliceBatch } from "@tfxio/arrow-encoding";
import type { WriteProgress } from "./write-tfxio.js";
import type { PlacedBatch } from "./read-from-cursor.js";
import type { Shard } from "./shard.js";
import {
  partPath,
  type WriteCursor,
  type WriteJournal,
  writeJournal,
  type WrittenShard,
} from "./write-journal.js";

/** The rules by which shards are created and ended. */
export interface ShardRules {
  /** Creates shard `index`, from 0. */
  begin(this: void, index: number): Promise<Shard>;
  /** Returns the number of rows at which shard `index` ends; `Infinity` for no limit. */
  numRowsOf(this: void, index: number): number;
  /** Number of bytes at which a shard ends; `Infinity` for no limit. */
  readonly shardBytes: number;
}

/** Shards that are written one after another. The journal lists every finished shard. */
export class ShardSequence {
  readonly #target: string;
  readonly #rules: ShardRules;
  #journal: WriteJournal;
  #shard: Shard | undefined;
  #numRows = 0;
  /** Position after the rows written so far. */
  #cursor: WriteCursor | undefined;

  constructor(target: string, journal: WriteJournal, rules: ShardRules) {
    this.#target = target;
    this.#journal = journal;
    this.#cursor = journal.cursor;
    this.#rules = rules;
  }

  /** The finished shards of all runs, in order. */
  get shards(): readonly WrittenShard[] {
    return this.#journal.shards;
  }

  /** Totals over all runs so far, including the unfinished shard. */
  get written(): WriteProgress {
    const sum = (of: keyof WrittenShard): number =>
      this.shards.reduce((total, shard) => total + shard[of], 0);
    return {
      numRows: sum("numRows") + this.#numRows,
      numBytes: sum("numBytes") + (this.#shard?.numBytes ?? 0),
    };
  }

  /** Writes a batch. If a shard ends within the batch, the remaining rows go to the next shard. */
  async write({ batch, cursorAfter }: PlacedBatch): Promise<void> {
    for (let done = 0; done < batch.numRows; ) {
      const shard = await this.#current();
      const rowsLeft = this.#rules.numRowsOf(this.shards.length) - this.#numRows;
      const end = Math.min(batch.numRows, done + rowsLeft);
      if (end > done)
        await shard.write(done === 0 && end === batch.numRows ? batch : sliceBatch(batch, done, end));
      this.#numRows += end - done;
      done = end;
      this.#cursor = cursorAfter(done);
      if (this.#isFull()) await this.#commit();
    }
  }

  /**
   * Commits the last shard. If fewer than `numShards` shards exist, also commits as many empty shards as are missing. Then saves
   * the journal without a cursor, to record that all rows are written.
   */
  async finish(numShards: number): Promise<void> {
    while (this.#shard !== undefined || this.shards.length < numShards) {
      await this.#current();
      await this.#commit();
    }
    const { cursor: _, ...done } = this.#journal;
    await this.#save(done);
  }

  /** Discards the unfinished shard. Finished shards are kept. */
  async discard(): Promise<void> {
    await this.#shard?.discard();
  }

  async #current(): Promise<Shard> {
    this.#shard ??= await this.#rules.begin(this.shards.length);
    return this.#shard;
  }

  #isFull(): boolean {
    const { shardBytes, numRowsOf } = this.#rules;
    return this.#numRows >= numRowsOf(this.shards.length) || (this.#shard?.numBytes ?? 0) >= shardBytes;
  }

  async #commit(): Promise<void> {
    const shard = this.#shard as Shard;
    await shard.finish();
    await shard.commit(partPath(this.#target, this.shards.length));
    const written = { numRows: this.#numRows, numBytes: shard.numBytes };
    this.#shard = undefined;
    this.#numRows = 0;
    await this.#save({ ...this.#journal, shards: [...this.shards, written], cursor: this.#cursor });
  }

  async #save(journal: WriteJournal): Promise<void> {
    await writeJournal(this.#target, journal);
    this.#journal = journal;
  }
}
