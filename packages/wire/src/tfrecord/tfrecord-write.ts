import type { ByteStore } from "../sources/byte-store.js";
import type { ByteTarget } from "../targets/byte-target.js";
import {
  aFunction,
  anAbortSignal,
  anInteger,
  assertOptions,
  describeValue,
  type OptionRules,
} from "../checks/index.js";
import { type CompressedTarget, compressedTarget } from "../compression/compressed-target.js";
import { type CountingTarget, countingTarget } from "../targets/counting-target.js";
import { ArgumentError } from "../errors.js";
import type { WritableFileHandle } from "../files/file-handle-target.js";
import { assertRecords, FramePacker } from "./frame-packer.js";
import { openTarget, type TargetInput } from "../targets/open-target.js";
import { type RecordInput, TFRECORD_ENCODE_RULES, type TfRecordEncodeOptions } from "./tfrecord-encode.js";

/** Options of {@link writeTfRecords}. */
export interface TfRecordWriteOptions extends TfRecordEncodeOptions {
  /** Compression of the file. Default: `"gzip"` if the target's name ends in `.gz`, otherwise `"none"`. */
  readonly compression?: TfRecordEncodeOptions["compression"];
  /**
   * Number of files, which are named as in TFX. With 5, `data.tfrecord.gz` becomes `data.tfrecord-00000-of-00005.gz` and so on.
   * With 1, the only file is `data.tfrecord-00000-of-00001.gz`. By default, one file with the target's name is written.
   */
  readonly numShards?: number | undefined;
  /** Stores for a target that is a URI, see {@link openTarget}. */
  readonly stores?: readonly ByteStore[] | undefined;
  /**
   * Cancels the write. The signal is checked before each record is written. The promise rejects with `signal.reason`, unwrapped.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called after each write of a chunk of about 256 KiB to a shard, and at the end. */
  readonly onProgress?: ((progress: TfRecordWriteProgress) => void) | undefined;
}

/** Progress of {@link writeTfRecords}. */
export interface TfRecordWriteProgress {
  readonly numRecords: number;
  /** Framed bytes, before compression. */
  readonly numBytes: number;
}

/** Result of {@link writeTfRecords}. */
export interface TfRecordWriteSummary {
  /** Paths of the files, or URIs of the targets, in shard order. */
  readonly uris: readonly string[];
  readonly numRecords: number;
  /** Total stored bytes of all files. */
  readonly numBytes: number;
}

/**
 * Writes records to one TFRecord file, or round-robin to several: record `i` goes to shard `i % numShards`, and a shard may be
 * empty. Files get their final names, and replace existing ones, only after everything is written. On failure, no new file
 * remains, and a target passed by the caller is discarded. Holds one or two chunks of 256 KiB per shard in memory. Errors of
 * `records` and `onProgress` are passed on unchanged.
 * @param target Path or `file:` URL (Node only), whose folder must exist, or a URI for one of the `stores`. Without `numShards`,
 *   also a file handle or a {@link ByteTarget}, which is committed at the end.
 * @throws {ArgumentError} `invalid-argument` (`record-type`, `directory`, …).
 * @throws {SourceError} `not-found`, `io-failed`.
 * @throws {UnsupportedError} `unsupported`, for example with reason `file-system` or `compression-level` in browsers.
 * @see TensorFlow `core/lib/io/record_writer.h`
 */
export async function writeTfRecords(
  records: RecordInput,
  target: TargetInput,
  options: TfRecordWriteOptions = {},
): Promise<TfRecordWriteSummary> {
  assertRecords(records);
  assertOptions("writeTfRecords", options, WRITE_RULES);
  const { level, numShards, stores, signal, onProgress } = options;
  const name = nameOf(target);
  const compression = options.compression ?? (name.endsWith(".gz") ? "gzip" : "none");
  const inputs = numShards === undefined ? [target] : shardNames(target, numShards);
  signal?.throwIfAborted();
  const shards: Shard[] = [];
  try {
    for (const input of inputs) {
      const stored = countingTarget(await openTarget(input, { stores }));
      const framed = compressedTarget(stored, compression, { level });
      shards.push({ stored, framed, packer: new FramePacker() });
    }
    const { numRecords, numBytes } = await writeInTurn(records, shards, signal, onProgress);
    for (const { framed } of shards) await framed.finish();
    onProgress?.({ numRecords, numBytes });
    signal?.throwIfAborted();
    for (const { stored } of shards) await stored.commit();
    const numStoredBytes = shards.reduce((total, { stored }) => total + stored.numBytes, 0);
    return { uris: shards.map(({ stored }) => stored.uri), numRecords, numBytes: numStoredBytes };
  } catch (error) {
    await Promise.all(shards.map(({ framed }) => framed.discard()));
    throw error;
  }
}

const WRITE_RULES: OptionRules<TfRecordWriteOptions> = {
  ...TFRECORD_ENCODE_RULES,
  // Shard names contain five digits.
  numShards: anInteger(1, 99_999),
  stores: null,
  signal: anAbortSignal,
  onProgress: aFunction,
};

interface Shard {
  /** Target of the bytes in their stored, possibly compressed form. */
  readonly stored: CountingTarget;
  /** Target of framed records, before compression. */
  readonly framed: CompressedTarget;
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
  const flush = async ({ framed, packer }: Shard): Promise<void> => {
    const chunk = packer.take();
    await framed.write(chunk);
    numBytes += chunk.length;
  };
  for await (const record of records) {
    signal?.throwIfAborted();
    const shard = shards[numRecords % shards.length] as Shard;
    shard.packer.add(record, numRecords);
    numRecords++;
    if (!shard.packer.isFull) continue;
    await flush(shard);
    onProgress?.({ numRecords, numBytes });
  }
  for (const shard of shards) if (shard.packer.byteLength > 0) await flush(shard);
  return { numRecords, numBytes };
}

/**
 * Returns the name of a target, which determines the default compression. Empty for an invalid target, which `openTarget`
 * rejects.
 */
function nameOf(target: TargetInput): string {
  if (typeof target === "string") return target;
  const { href, uri, name } = Object(target) as Partial<URL & ByteTarget & WritableFileHandle>;
  return [href, uri, name].find((text) => typeof text === "string") ?? "";
}

function shardNames(input: TargetInput, numShards: number): readonly string[] {
  const isNamed = typeof input === "string" || Object.prototype.toString.call(input) === "[object URL]";
  if (!isNamed) {
    throw new ArgumentError(
      "invalid-argument",
      `Shards take their names from the target, so it must be a path, URL or URI, found ${describeValue(input)}.`,
      {
        argument: "target",
        reason: "target-type",
      },
    );
  }
  const target = String(input);
  const ending = target.endsWith(".gz") ? ".gz" : "";
  const stem = target.slice(0, target.length - ending.length);
  const digits = (value: number): string => String(value).padStart(5, "0");
  return Array.from(
    { length: numShards },
    (_, index) => `${stem}-${digits(index)}-of-${digits(numShards)}${ending}`,
  );
}
