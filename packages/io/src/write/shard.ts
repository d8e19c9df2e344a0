import type { BatchWriter, Format, WriterOptions } from "@tfxio/format";
import { type ByteTarget, type CountingTarget, countingTarget } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

/** One file that is being written. */
export class Shard {
  readonly #target: CountingTarget;
  readonly #writer: BatchWriter;

  /** Creates a shard that writes to `target` in `format`. Discards the target if creating the writer fails. */
  static async create(
    format: Required<Pick<Format, "createWriter">>,
    target: ByteTarget,
    options: WriterOptions<object>,
  ): Promise<Shard> {
    const counted = countingTarget(target);
    try {
      return new Shard(counted, await format.createWriter(counted, options));
    } catch (error) {
      await target.discard();
      throw error;
    }
  }

  private constructor(target: CountingTarget, writer: BatchWriter) {
    this.#target = target;
    this.#writer = writer;
  }

  /** Number of bytes passed to the target so far. Bytes that a compressor still buffers are not included. */
  get numBytes(): number {
    return this.#target.numBytes;
  }

  write(batch: RecordBatch): Promise<void> {
    return this.#writer.write(batch);
  }

  finish(): Promise<void> {
    return this.#writer.finish();
  }

  /**
   * Commits the file and resolves to its name. The name is `uri`, or the target's own name if `uri` is undefined or the target
   * cannot be renamed. `uri` must be in the directory of the target.
   */
  async commit(uri: string | undefined): Promise<string> {
    if (uri === undefined || this.#target.commitAs === undefined) {
      await this.#target.commit();
      return this.#target.uri;
    }
    await this.#target.commitAs(uri);
    return uri;
  }

  discard(): Promise<void> {
    return this.#target.discard();
  }
}
