import type { BatchLimits, PushProgress, RecordBlock } from "@tfxio/wire";
import type { PayloadSession } from "./record-format-parts.js";
import { errorAt, type RecordPlace } from "./error-at.js";
import { assertAdvanced } from "./record-feed.js";
import { RecordOrigins } from "./record-origins.js";
import { type RecordPool, STAGE_BYTES } from "./record-pool.js";
import type { RowColumns } from "./row-columns.js";

/** Maximum number of records on the stage, which is enough to amortize the cost of a push. */
const STAGE_RECORDS = 1024;

/** The source of staged records, for error messages and row columns. */
export interface StagedSource {
  readonly uri: string;
  readonly splitIndex: number;
}

/**
 * A queue of records that were drawn from a pool and wait to be decoded. The stage at the start of the pool's memory holds the
 * records that fit there.
 */
export class StagedRecords {
  readonly #pool: RecordPool;
  readonly #session: PayloadSession;
  readonly #rowColumns: RowColumns | undefined;
  readonly #sources: readonly StagedSource[];
  readonly #starts = new Uint32Array(STAGE_RECORDS);
  readonly #ends = new Uint32Array(STAGE_RECORDS);
  readonly #origins = new RecordOrigins(STAGE_RECORDS);
  #length = 0;
  #taken = 0;
  #isFull = false;
  /** Origins of the records decoded into the unfinished batch. */
  readonly #decoded = new RecordOrigins(STAGE_RECORDS);
  #numDecoded = 0;

  constructor(
    pool: RecordPool,
    session: PayloadSession,
    sources: readonly StagedSource[],
    rowColumns: RowColumns | undefined,
  ) {
    this.#pool = pool;
    this.#session = session;
    this.#sources = sources;
    this.#rowColumns = rowColumns;
  }

  /** Number of records that wait to be decoded. */
  get length(): number {
    return this.#length - this.#taken;
  }

  /** True if no further record can be drawn before the next {@link push}. */
  get isFull(): boolean {
    return this.#isFull && this.length > 0;
  }

  /**
   * Takes the record in `slot` from the pool and queues it. A record that does not fit on the rest of the stage is decoded in
   * place, so no record may then be added to the pool before the next push.
   */
  draw(slot: number): void {
    if (this.length === 0) this.#empty();
    const pool = this.#pool;
    const start = pool.starts[slot]!;
    const end = pool.ends[slot]!;
    const index = this.#length++;
    const stagedStart = index === 0 ? 0 : this.#ends[index - 1]!;
    const isStaged = stagedStart + end - start <= STAGE_BYTES;
    if (isStaged) pool.bytes.copyWithin(stagedStart, start, end);
    this.#starts[index] = isStaged ? stagedStart : start;
    this.#ends[index] = isStaged ? stagedStart + end - start : end;
    this.#origins.copy(pool.origins, slot, index);
    pool.remove(slot);
    this.#isFull = !isStaged || this.#length === STAGE_RECORDS;
  }

  /** Decodes queued records until the queue is empty or the batch is full. Returns true if the batch is full. */
  push(limits: BatchLimits): boolean {
    while (this.length > 0) {
      const { numRows } = this.#session;
      if (numRows === 0) this.#numDecoded = 0;
      const progress = this.#pushSome(limits);
      assertAdvanced(progress, this.#session, this.#placeOf(this.#origins, this.#taken).uri);
      if (this.#rowColumns !== undefined) this.#addRows(this.#rowColumns, this.#session.numRows - numRows);
      this.#decoded.growTo(this.#numDecoded + progress.consumed);
      for (let index = 0; index < progress.consumed; index++) {
        this.#decoded.copy(this.#origins, this.#taken++, this.#numDecoded++);
      }
      if (progress.isFull) return true;
    }
    this.#empty();
    return false;
  }

  /** Returns the error with the place of its record. The session identifies the record by its index in the batch. */
  placed(error: unknown): unknown {
    const { recordIndex } = Object(error) as { readonly recordIndex?: unknown };
    if (typeof recordIndex !== "number") return error;
    if (recordIndex < this.#numDecoded) return errorAt(error, this.#placeOf(this.#decoded, recordIndex));
    const index = this.#taken + recordIndex - this.#numDecoded;
    return index < this.#length ? errorAt(error, this.#placeOf(this.#origins, index)) : error;
  }

  clear(): void {
    this.#empty();
    this.#numDecoded = 0;
  }

  #empty(): void {
    this.#length = this.#taken = 0;
    this.#isFull = false;
  }

  #addRows(rowColumns: RowColumns, numRows: number): void {
    for (let index = this.#taken; index < this.#taken + numRows; index++) {
      const { source, byteOffset, headerBytes } = this.#origins.at(index);
      rowColumns.add(byteOffset - headerBytes, this.#sources[source]!.splitIndex);
    }
  }

  #pushSome(limits: BatchLimits): PushProgress {
    const isOneByOne = this.#rowColumns?.isOneByOne === true;
    const block: RecordBlock = {
      uri: "shuffled records",
      bytes: this.#pool.bytes,
      numRecords: isOneByOne ? 1 : this.length,
      starts: this.#starts.subarray(this.#taken, this.#length),
      ends: this.#ends.subarray(this.#taken, this.#length),
      firstRecordIndex: this.#numDecoded,
      recordIndices: this.#origins.recordIndices.subarray(this.#taken, this.#length),
      byteOffset: 0,
    };
    try {
      return this.#session.push(block, 0, limits);
    } catch (error) {
      this.#failAtOrigin(error);
      throw this.placed(error);
    }
  }

  /** Decodes the failed record again, in a block with only this record and its place, so that the message names that place. */
  #failAtOrigin(error: unknown): void {
    const { recordIndex } = Object(error) as { readonly recordIndex?: unknown };
    if (typeof recordIndex !== "number") return;
    const index = this.#taken + recordIndex - this.#numDecoded;
    if (!(index >= this.#taken && index < this.#length)) return;
    const { uri, ...place } = this.#placeOf(this.#origins, index);
    const alone: RecordBlock = {
      uri,
      bytes: this.#pool.bytes,
      numRecords: 1,
      starts: this.#starts.subarray(index, index + 1),
      ends: this.#ends.subarray(index, index + 1),
      firstRecordIndex: place.recordIndex,
      byteOffset: place.byteOffset - this.#starts[index]!,
      headerBytes: this.#origins.at(index).headerBytes,
    };
    this.#session.push(alone, 0, { maxRows: 1, maxBytes: Number.POSITIVE_INFINITY });
  }

  #placeOf(origins: RecordOrigins, index: number): RecordPlace {
    const { source, recordIndex, byteOffset } = origins.at(index);
    return { uri: this.#sources[source]!.uri, recordIndex, byteOffset };
  }
}
