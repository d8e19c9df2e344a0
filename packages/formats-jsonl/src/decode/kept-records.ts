import type { RecordBlock } from "@tfxio/wire";
import { TextBytes } from "../parse/text-bytes.js";

/** Copies of the records of a batch, for parsing them again. */
export class KeptRecords {
  readonly #bytes = new TextBytes();
  #ends: number[] = [];
  #origins: Pick<RecordBlock, "uri" | "firstRecordIndex" | "byteOffset">[] = [];

  add(block: RecordBlock, index: number): void {
    const start = block.starts[index]!;
    this.#bytes.append(block.bytes, start, block.ends[index]!);
    this.#ends.push(this.#bytes.length);
    const byteOffset = block.byteOffset + start;
    this.#origins.push({ uri: block.uri, firstRecordIndex: block.firstRecordIndex + index, byteOffset });
  }

  /** Yields each record as a separate block. */
  *blocks(): Generator<RecordBlock, void, undefined> {
    const { bytes } = this.#bytes;
    for (const [index, { uri, firstRecordIndex, byteOffset }] of this.#origins.entries()) {
      const start = this.#ends[index - 1] ?? 0;
      yield {
        uri,
        bytes,
        numRecords: 1,
        starts: Uint32Array.of(start),
        ends: Uint32Array.of(this.#ends[index]!),
        firstRecordIndex,
        byteOffset: byteOffset - start,
      };
    }
  }

  clear(): void {
    this.#bytes.length = 0;
    this.#ends = [];
    this.#origins = [];
  }
}
