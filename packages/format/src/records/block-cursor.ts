import type { ByteSource, RecordBlock } from "@tfxio/wire";
import type { ContainerContext, RecordContainer } from "./record-format-parts.js";

/** Iterates over the blocks of one source and tracks the next record. */
export class BlockCursor<Options extends object> {
  readonly #container: RecordContainer<Options>;
  readonly #source: ByteSource;
  readonly #context: ContainerContext<Options>;
  #blocks: AsyncIterator<RecordBlock> | undefined;
  #startOffset: number | undefined;
  #endOffset: number | undefined;
  /** Borrowed until the next {@link advance}. */
  block: RecordBlock | undefined;
  /** Records of the block consumed so far. */
  taken = 0;

  constructor(container: RecordContainer<Options>, source: ByteSource, context: ContainerContext<Options>) {
    this.#container = container;
    this.#source = source;
    this.#context = context;
  }

  /** True if the block has more records. */
  get hasRecord(): boolean {
    return this.block !== undefined && this.taken < this.block.numRecords;
  }

  /** Moves to the next block; false at the end of the source. Opens the source at the first call. */
  async advance(): Promise<boolean> {
    this.#blocks ??= this.#container.blocks(this.#source, this.#context)[Symbol.asyncIterator]();
    const next = await this.#blocks.next();
    if (next.done === true) return false;
    this.block = next.value;
    this.taken = 0;
    this.#startOffset ??= next.value.byteOffset;
    return true;
  }

  /** Marks records of the block as consumed. */
  take(numRecords: number): void {
    const { block } = this;
    if (block === undefined || numRecords === 0) return;
    this.taken += numRecords;
    this.#endOffset =
      this.taken < block.numRecords
        ? frameOffset(block, this.taken)
        : (block.endOffset ?? block.byteOffset + (block.ends[this.taken - 1] ?? 0));
  }

  /** Offset of the next record, if the container knows it. */
  get nextOffset(): number | undefined {
    const { block } = this;
    return block !== undefined && (block.endOffset !== undefined || this.hasRecord)
      ? this.#endOffset
      : undefined;
  }

  /** Uncompressed bytes consumed so far. */
  get numBytes(): number {
    return (this.#endOffset ?? 0) - (this.#startOffset ?? 0);
  }

  async close(): Promise<void> {
    await this.#blocks?.return?.();
  }
}

/** Offset in the source's uncompressed bytes of the frame of record `index`. */
export function frameOffset({ byteOffset, starts, headerBytes = 0 }: RecordBlock, index: number): number {
  const header = typeof headerBytes === "number" ? headerBytes : headerBytes[index]!;
  return byteOffset + starts[index]! - header;
}
