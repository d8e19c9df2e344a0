import { createFileTarget } from "#fs";
import { assertOptions } from "./check-options.js";
import { assertCompression, assertLevel } from "./compression.js";
import { ArgumentError } from "./errors.js";
import { assertRecords, FramePacker } from "./frame-packer.js";
import type { RecordInput, TfRecordEncodeOptions } from "./tfrecord-encode.js";

/** Options of {@link writeTfRecords}. */
export interface TfRecordWriteOptions extends TfRecordEncodeOptions {
  /** `"gzip"` by default when the target's name ends in `.gz`, else `"none"`. */
  readonly compression?: TfRecordEncodeOptions["compression"];
  /**
   * Write so many files, named as TFX names them: `data.tfrecord.gz` becomes `data.tfrecord-00000-of-00005.gz` and so
   * on, also for one. Absent: one file with the target's own name.
   */
  readonly numShards?: number | undefined;
  /** Looked at after each record; the rejection is `signal.reason`, unwrapped. */
  readonly signal?: AbortSignal | undefined;
  /** Told after every 256 KiB or so of a shard, and at the end. */
  readonly onProgress?: ((progress: TfRecordWriteProgress) => void) | undefined;
}

/** How far {@link writeTfRecords} is. */
export interface TfRecordWriteProgress {
  readonly numRecords: number;
  /** Framed, before compression. */
  readonly numBytes: number;
}

/** What {@link writeTfRecords} has written. */
export interface TfRecordWriteSummary {
  /** Paths of the files, in shard order. */
  readonly uris: readonly string[];
  readonly numRecords: number;
  /** Bytes as stored, of all files. */
  readonly numBytes: number;
}

/**
 * Writes records to a TFRecord file, or in turn to several (record `i` to shard `i % numShards`; a shard may be empty).
 * Node only. Everything is written under temporary names in the same folder and renamed at the end, over files that
 * have these names; when anything fails, no file is left behind. Memory: a chunk or two a shard.
 * @param target Path or `file:` URL; its folder must exist.
 * @throws {ArgumentError} `invalid-argument` (`record-type`, `directory`, …). {@link SourceError} `not-found`,
 * `io-failed`. {@link UnsupportedError} `unsupported` (`file-system`) in browsers. What `records` and `onProgress`
 * throw is passed on as it is.
 * @see TensorFlow `core/lib/io/record_writer.h`
 */
export async function writeTfRecords(
  records: RecordInput,
  target: string,
  options: TfRecordWriteOptions = {},
): Promise<TfRecordWriteSummary> {
  assertRecords(records);
  if (typeof target !== "string") {
    throw new ArgumentError("invalid-argument", `The target is a path, found ${String(target)}.`, {
      argument: "target",
    });
  }
  assertOptions(options, ["compression", "level", "numShards", "signal", "onProgress"], "writeTfRecords");
  const { level, numShards, signal, onProgress } = options;
  const compression = options.compression ?? (target.endsWith(".gz") ? "gzip" : "none");
  assertCompression(compression, ["none", "gzip", "zlib"]);
  assertLevel(level);
  const names = numShards === undefined ? [target] : shardNames(target, numShards);
  signal?.throwIfAborted();
  const shards: Shard[] = [];
  try {
    for (const name of names) {
      shards.push({ file: await createFileTarget(name, compression, { level }), packer: new FramePacker() });
    }
    const { numRecords, numBytes } = await writeInTurn(records, shards, signal, onProgress);
    let numStoredBytes = 0;
    for (const { file } of shards) numStoredBytes += await file.finish();
    onProgress?.({ numRecords, numBytes });
    signal?.throwIfAborted();
    for (const { file } of shards) await file.commit();
    return { uris: shards.map(({ file }) => file.path), numRecords, numBytes: numStoredBytes };
  } catch (error) {
    await Promise.all(shards.map(({ file }) => file.discard()));
    throw error;
  }
}

interface Shard {
  readonly file: Awaited<ReturnType<typeof createFileTarget>>;
  readonly packer: FramePacker;
}

async function writeInTurn(
  records: RecordInput,
  shards: readonly Shard[],
  signal: AbortSignal | undefined,
  onProgress: ((progress: TfRecordWriteProgress) => void) | undefined,
): Promise<TfRecordWriteProgress> {
  let numRecords = 0;
  let numBytes = 0;
  const flush = async ({ file, packer }: Shard): Promise<void> => {
    const chunk = packer.take();
    await file.write(chunk);
    numBytes += chunk.length;
  };
  for await (const record of records) {
    signal?.throwIfAborted();
    const shard = shards[numRecords % shards.length] as Shard;
    shard.packer.add(record);
    numRecords++;
    if (!shard.packer.isFull) continue;
    await flush(shard);
    onProgress?.({ numRecords, numBytes });
  }
  for (const shard of shards) if (shard.packer.byteLength > 0) await flush(shard);
  return { numRecords, numBytes };
}

function shardNames(target: string, numShards: number): readonly string[] {
  // Five digits are what the naming has room for.
  if (!Number.isInteger(numShards) || numShards < 1 || numShards > 99_999) {
    throw new ArgumentError(
      "invalid-argument",
      `numShards is an integer from 1 to 99999, found ${numShards}.`,
      {
        argument: "numShards",
      },
    );
  }
  const ending = target.endsWith(".gz") ? ".gz" : "";
  const stem = target.slice(0, target.length - ending.length);
  const digits = (value: number): string => String(value).padStart(5, "0");
  return Array.from(
    { length: numShards },
    (_, index) => `${stem}-${digits(index)}-of-${digits(numShards)}${ending}`,
  );
}
