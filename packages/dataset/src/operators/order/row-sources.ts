import { type Block, isBatchRows, isColumnRows, isItemRows } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { gatherShuffled } from "./gather-shuffled.js";
import { RowList } from "./row-list.js";

/**
 * A source is sparse if fewer than 1 in `MIN_LIVE` of its rows are still referenced. The referenced rows may be copied, so that
 * the source can be freed.
 */
const MIN_LIVE = 4;

interface Source {
  /** All rows of the source. */
  readonly block: Block;
  /** Identity of the source. All blocks of columns or record batches that are sliced from one source share it. */
  readonly key: object;
  /** Number of references to rows of the source. When it reaches 0, the source is freed. */
  numLive: number;
}

/**
 * The numbered blocks to which the references of a {@link RowList} point. A block is kept while any of its rows is referenced.
 */
export class RowSources {
  readonly #sources: (Source | undefined)[] = [];
  readonly #numbers: Map<object, number> = new Map();
  readonly #free: number[] = [];
  #numRetained = 0;

  /** Total number of rows of all sources in memory, whether referenced or not. */
  get numRetained(): number {
    return this.#numRetained;
  }

  /** Counts one reference to each row of `block`. Returns the number of the block's source. */
  add(block: Block): number {
    const { key, whole } = sourceOf(block);
    const known = this.#numbers.get(key);
    const number = known ?? this.#free.pop() ?? this.#sources.length;
    if (known === undefined) {
      this.#sources[number] = { block: whole, key, numLive: 0 };
      this.#numbers.set(key, number);
      this.#numRetained += whole.numRows;
    }
    (this.#sources[number] as Source).numLive += block.numRows;
    return number;
  }

  /** Returns the number of rows in source `number`, or 0 if there is no such source. */
  numRowsOf(number: number): number {
    return this.#sources[number]?.block.numRows ?? 0;
  }

  /**
   * Copies the rows of `list` into new blocks in list order, and releases the references. Starts a new block wherever the kind
   * of rows (column rows, batch rows or items) changes. If copying fails, disposes the tensors of the rows.
   */
  take(list: RowList): Block[] {
    const { source, row } = list;
    const blocks: Block[] = [];
    try {
      if (row.length > 0 && this.#areOfOneKind()) blocks.push(this.#gather(source, row));
      else
        for (let from = 0, to = 0; from < row.length; from = to) {
          const kind = this.#kindOf(source[from] as number);
          while (to < row.length && this.#kindOf(source[to] as number) === kind) to++;
          blocks.push(this.#gather(source.subarray(from, to), row.subarray(from, to)));
        }
    } catch (error) {
      this.dispose(list);
      throw error;
    }
    this.#release(source);
    return blocks;
  }

  /** Disposes the tensors of the rows of `list`, and releases the references. */
  drop(list: RowList): void {
    this.dispose(list);
    this.#release(list.source);
  }

  /**
   * Copies the rows of `list` that are in sparse sources, so that these sources can be freed. Begins with the sources that have
   * the fewest references, and stops after about `maxRows` rows. Updates the references in place.
   * @param except Number of a source to keep, because more of its rows will follow.
   */
  compact(list: RowList, maxRows: number, except: number): void {
    const leaving = new Set<number>();
    let numRows = 0;
    for (const { number, numLive } of this.#sparseSources(except)) {
      if (numRows >= maxRows) break;
      leaving.add(number);
      numRows += numLive;
    }
    if (leaving.size === 0) return;
    const moved = new RowList();
    const places: number[] = [];
    const { source, row } = list;
    source.forEach((number, place) => {
      if (!leaving.has(number)) return;
      moved.push(number, row[place] as number);
      places.push(place);
    });
    let count = 0;
    for (const block of this.take(moved)) {
      const number = this.add(block);
      for (let k = 0; k < block.numRows; k++) {
        const place = places[count++] as number;
        source[place] = number;
        row[place] = k;
      }
    }
  }

  /** Disposes the tensors of the rows of `list`. */
  dispose(list: RowList): void {
    const { source, row } = list;
    source.forEach((number, place) => {
      const block = this.#sources[number]?.block;
      if (block !== undefined && isItemRows(block)) {
        disposeElements([block.items[row[place] as number]]);
      }
    });
  }

  /** Returns the sparse sources, those with the fewest references first. */
  #sparseSources(except: number): { readonly number: number; readonly numLive: number }[] {
    const found: { number: number; numLive: number }[] = [];
    this.#sources.forEach((source, number) => {
      if (source === undefined || number === except) return;
      if (source.numLive * MIN_LIVE < source.block.numRows) found.push({ number, numLive: source.numLive });
    });
    return found.sort((a, b) => a.numLive - b.numLive);
  }

  /** Returns true if all sources hold the same kind of rows. */
  #areOfOneKind(): boolean {
    const kinds = new Set(
      this.#sources.flatMap((source) => (source === undefined ? [] : kindOf(source.block))),
    );
    return kinds.size === 1;
  }

  #kindOf(number: number): number {
    return kindOf((this.#sources[number] as Source).block);
  }

  /** Copies the referenced rows into one block. */
  #gather(source: Uint32Array, row: Uint32Array): Block {
    const blocks: Block[] = [];
    const places = new Int32Array(this.#sources.length).fill(-1);
    const place = new Uint32Array(source.length);
    for (let i = 0; i < source.length; i++) {
      const number = source[i] as number;
      if (places[number] === -1) {
        places[number] = blocks.push((this.#sources[number] as Source).block) - 1;
      }
      place[i] = places[number] as number;
    }
    return gatherShuffled(blocks, place, row);
  }

  /** Releases one reference for each entry of `numbers`. */
  #release(numbers: Uint32Array): void {
    const counts = new Uint32Array(this.#sources.length);
    for (let i = 0; i < numbers.length; i++) (counts[numbers[i] as number] as number)++;
    counts.forEach((count, number) => {
      if (count > 0) this.#releaseRows(number, count);
    });
  }

  #releaseRows(number: number, count: number): void {
    const source = this.#sources[number] as Source;
    source.numLive -= count;
    if (source.numLive > 0) return;
    this.#numRetained -= source.block.numRows;
    this.#numbers.delete(source.key);
    this.#sources[number] = undefined;
    this.#free.push(number);
  }
}

/** Returns 0 for column rows, 1 for batch rows and 2 for items. */
function kindOf(block: Block): number {
  return isColumnRows(block) ? 0 : isBatchRows(block) ? 1 : 2;
}

/** Returns the whole block from which `block` was sliced, and the identity of that source. */
function sourceOf(block: Block): { readonly key: object; readonly whole: Block } {
  if (isItemRows(block)) return { key: block, whole: block };
  const source = isColumnRows(block) ? block.source : block.batch;
  return { key: source, whole: { ...block, numRows: source.numRows, start: 0 } };
}
