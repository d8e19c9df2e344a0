import type { BatchWriter, Format, WriterOptions } from "@tfxio/format";
import { type ByteTarget, type CountingTarget, countingTarget } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

/** One file in the making. */
export class Shard {
  readonly #target: CountingTarget;
  readonly #writer: BatchWriter;

  /** Creates a writer of `format` into `target`; discards the target when it cannot. */
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

  /** Bytes handed to the target so far; a compressor holds some back. */
  get numBytes(): number {
    return this.#target.numBytes;
  }

  write(batch: RecordBatch): Promise<void> {
    return this.#writer.write(batch);
  }

  finish(): Promise<void> {
    return this.#writer.finish();
  }

  /** Gives the file its name, or `uri` instead, in the same place. Resolves to the name. */
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
