import type { ByteSource, RecordBlock } from "@tfxio/wire";
import { assertRecordBounds } from "@tfxio/wire/checks";
import type { ContainerContext, RecordContainer } from "./record-format-parts.js";

/** A position within the blocks of one source. It moves from block to block and counts the consumed records. */
export class BlockCursor<Options extends object> {
  readonly #container: RecordContainer<Options>;
  readonly #source: ByteSource;
  readonly #context: ContainerContext<Options>;
  #blocks: AsyncIterator<RecordBlock> | undefined;
  #startOffset: number | undefined;
  #endOffset: number | undefined;
  /** The current block. Valid until the next {@link advance}. Undefined before the first block is read. */
  block: RecordBlock | undefined;
  /** Number of the block's records that have been consumed. */
  taken = 0;

  constructor(container: RecordContainer<Options>, source: ByteSource, context: ContainerContext<Options>) {
    this.#container = container;
    this.#source = source;
    this.#context = context;
  }

  /** True if the block has records that are not consumed yet. */
  get hasRecord(): boolean {
    return this.block !== undefined && this.taken < this.block.numRecords;
  }

  /**
   * Moves to the next block. Returns false if there is none. The first call opens the source.
   * @throws {ArgumentError} `invalid-argument` (`record-bounds`) if records of the block lie outside its bytes.
   */
  async advance(): Promise<boolean> {
    this.#blocks ??= this.#container.blocks(this.#source, this.#context)[Symbol.asyncIterator]();
    const next = await this.#blocks.next();
    if (next.done === true) return false;
    assertRecordBounds(next.value, 0, next.value.numRecords);
    this.block = next.value;
    this.taken = 0;
    this.#startOffset ??= next.value.byteOffset;
    return true;
  }

  /** Marks the next `numRecords` records of the block as consumed. */
  take(numRecords: number): void {
    const { block } = this;
    if (block === undefined || numRecords === 0) return;
    this.taken += numRecords;
    this.#endOffset =
      this.taken < block.numRecords
        ? frameOffset(block, this.taken)
        : (block.endOffset ?? block.byteOffset + (block.ends[this.taken - 1] ?? 0));
  }

  /** Offset of the next record's frame in uncompressed bytes, if the container knows it. */
  get nextOffset(): number | undefined {
    const { block } = this;
    return block !== undefined && (block.endOffset !== undefined || this.hasRecord)
      ? this.#endOffset
      : undefined;
  }

  /** Number of uncompressed bytes consumed so far. */
  get numBytes(): number {
    return (this.#endOffset ?? 0) - (this.#startOffset ?? 0);
  }

  async close(): Promise<void> {
    await this.#blocks?.return?.();
  }
}

/** Returns the offset of the frame of record `index` in the uncompressed bytes of the source. */
export function frameOffset({ byteOffset, starts, headerBytes = 0 }: RecordBlock, index: number): number {
  const header = typeof headerBytes === "number" ? headerBytes : headerBytes[index]!;
  return byteOffset + starts[index]! - header;
}
