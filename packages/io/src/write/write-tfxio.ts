import { takeRows } from "@tfxio/arrow-encoding";
import { type Format, type FormatRegistry, loadOwnBatch } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import {
  type ByteStore,
  isByteTarget,
  openTarget,
  SchemaError,
  type TargetInput,
  UnsupportedError,
} from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import {
  aFunction,
  aName,
  anAbortSignal,
  anObject,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  isObject,
  membersOf,
  type OptionRules,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { OPEN_RULES } from "../open-rules.js";
import { reportProgress } from "../report-progress.js";
import { Shard } from "./shard.js";
import { assertNoOtherShards, aNumberOfShards, shardName } from "./shard-names.js";
import { itemsUntilAborted } from "./items-until-aborted.js";
import { assertTargetApart } from "./target-apart.js";
import {
  arrowSchemaOf,
  assertBatch,
  assertWritableData,
  isTfxio,
  schemaOf,
  type WritableData,
} from "./writable-data.js";
import { writableFormat, type Writable } from "./writable-format.js";

/** Progress of {@link writeTfxio}. */
export interface WriteProgress {
  /** Number of rows written so far. */
  readonly numRows: number;
  /** Number of bytes passed to the targets so far, without the bytes that compressors still buffer. */
  readonly numBytes: number;
}

/** Options of {@link writeTfxio}. */
export interface WriteTfxioOptions {
  /** A format, or the id of one in `formats`. Default: derived from the target's name. */
  readonly format?: string | Format | undefined;
  /** Formats from which `format` and the target's name choose. Default: {@link standardFormats}. */
  readonly formats?: FormatRegistry | undefined;
  /** Options of the format, such as TFRecord's `compression`. */
  readonly formatOptions?: Readonly<Record<string, unknown>> | undefined;
  /** TFMD schema, for columns that can be written in several ways. Default: the schema of the TFXIO, if it has one. */
  readonly schema?: Schema | undefined;
  /**
   * Arrow schema of every batch. Default: the Arrow schema of the TFXIO, or of the first batch. Required if there are no batches
   * and `data` is not a TFXIO with a schema.
   */
  readonly arrowSchema?: ArrowSchema | undefined;
  /**
   * Number of files. Row `i` goes to file `i % numShards`. Files are named `data.tfrecord-00000-of-00005` and so on. Default: one
   * file with the target's own name.
   */
  readonly numShards?: number | undefined;
  /**
   * Starts a new file when the current file has about this many bytes. Files are named as with `numShards`. Cannot be combined
   * with `numShards`.
   */
  readonly shardBytes?: number | undefined;
  /** Stores that open the target's URI. Default: none. */
  readonly stores?: readonly ByteStore[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each batch. If it throws, the write rejects with `user-function`. */
  readonly onProgress?: ((progress: WriteProgress) => void) | undefined;
}

/** Result of {@link writeTfxio}. */
export interface WriteSummary {
  /** URIs of the files, in shard order. */
  readonly uris: readonly string[];
  readonly numRows: number;
  /** Size of all files together, in stored bytes. */
  readonly numBytes: number;
}

/** Rules for the options of `writeTfxio`. */
export const WRITE_RULES: OptionRules<WriteTfxioOptions> = {
  format: OPEN_RULES.format,
  formats: OPEN_RULES.formats,
  formatOptions: anObject,
  schema: OPEN_RULES.schema,
  arrowSchema: rule("an Arrow Schema", (value) => Array.isArray(membersOf(value)["fields"])),
  numShards: aNumberOfShards,
  shardBytes: aPositiveInteger,
  stores: null,
  signal: anAbortSignal,
  onProgress: aFunction,
};

/**
 * Writes record batches, or all rows of a TFXIO, in any writable format. Files get their final names only after all rows are
 * written. If writing fails before that, no file is left behind. Existing shards from a write with the same number of shards are
 * replaced. If shards from a write with a different number of shards exist, the call rejects, because a glob would match the
 * shards of both writes. Holds in memory one batch and, for each shard, whatever the shard's writer buffers, such as a row group
 * of Parquet. Batches may come from another copy of apache-arrow, such as its CommonJS build.
 * @param target A path, a `file:` URL, a URI of `stores`, a `ByteTarget`, or a browser file handle. For shards, a string.
 * @throws {ArgumentError} `invalid-argument`, with reasons such as `other-shards`, `glob-target`, and `target-is-source` for a
 *   target that the TFXIO reads. `unknown-format` if no format has the requested id or the target's extension.
 * @throws {UnsupportedError} `unsupported` for a format without a writer, and for `shardBytes` if files cannot be renamed. Reason
 *   `column-type` for a column type that this package's copy of apache-arrow lacks.
 * @throws {SchemaError} `schema-mismatch` (`batch-schema`) for batches with different schemas; `schema-required` (`no-batches`)
 *   if there are no batches and no schema is known. Also throws whatever the batches, the format and the target throw.
 */
export async function writeTfxio(
  data: WritableData,
  target: TargetInput,
  options: WriteTfxioOptions = {},
): Promise<WriteSummary> {
  assertOptions("writeTfxio", options, WRITE_RULES);
  const { numShards, shardBytes, signal } = options;
  if (shardBytes !== undefined && numShards !== undefined)
    throw unusableArgument("shardBytes", "cannot be combined with numShards");
  const isSharded = numShards !== undefined || shardBytes !== undefined;
  const aTarget = isSharded
    ? rule("a path or URI, from which the names of the shards are derived", aName.holds)
    : rule("a path, a URI, a ByteTarget or a file handle", (value) => aName.holds(value) || isObject(value));
  assertArgument("target", target, aTarget);
  assertNoGlob("writeTfxio", target);
  assertWritableData(data);
  const format = writableFormat(target, options);
  signal?.throwIfAborted();
  const shards: Shard[] = [];
  try {
    await assertTargetApart(data, target, { isSharded, stores: options.stores });
    if (numShards !== undefined) await assertNoOtherShards(target as string, numShards, options.stores);
    const numRows = isSharded
      ? await writeShards(data, format, target as string, options, shards)
      : await writeOne(data, format, target, options, shards);
    for (const shard of shards) await shard.finish();
    signal?.throwIfAborted();
    if (shardBytes !== undefined) await assertNoOtherShards(target as string, shards.length, options.stores);
    const uris: string[] = [];
    for (const [index, shard] of shards.entries()) {
      const name = shardBytes === undefined ? undefined : shardName(target as string, index, shards.length);
      uris.push(await shard.commit(name));
    }
    return { uris, numRows, numBytes: shards.reduce((sum, shard) => sum + shard.numBytes, 0) };
  } catch (error) {
    await Promise.all(shards.map((shard) => shard.discard()));
    // If no shard was created, the line above did not discard the caller's ByteTarget.
    if (isByteTarget(target)) await target.discard();
    throw error;
  }
}

/** Matches a path with `*`, with `?`, or with braces that enclose a comma or a range. */
const A_GLOB = /[*?]|\{[^}]*(?:,|\.\.)[^}]*\}/;

/**
 * Rejects a path that {@link A_GLOB} matches, because readers would treat the path as a glob. Accepts every URI.
 * @throws {ArgumentError} `invalid-argument` (`glob-target`).
 */
export function assertNoGlob(owner: string, target: TargetInput): void {
  if (typeof target !== "string" || /^[a-z][a-z0-9+.-]+:/i.test(target) || !A_GLOB.test(target)) return;
  const problem = `must name one file, found the glob ${JSON.stringify(target)}; to use this exact name, pass a file: URL`;
  throw unusableArgument("target", problem, { owner, reason: "glob-target" });
}

/** Writes all batches to one target. Returns the number of rows. */
async function writeOne(
  data: WritableData,
  format: Writable,
  target: TargetInput,
  options: WriteTfxioOptions,
  shards: Shard[],
): Promise<number> {
  const open = async (arrowSchema: ArrowSchema): Promise<void> => {
    const opened = await openTarget(target, { stores: options.stores });
    shards.push(await Shard.create(format, opened, writerOptions(data, arrowSchema, options)));
  };
  return writeAll(data, options, shards, { open, write: (batch) => (shards[0] as Shard).write(batch) });
}

/**
 * With `numShards`, distributes the rows over all shards. With `shardBytes`, starts a new shard when the current shard is full.
 * Returns the number of rows.
 */
async function writeShards(
  data: WritableData,
  format: Writable,
  target: string,
  options: WriteTfxioOptions,
  shards: Shard[],
): Promise<number> {
  const { numShards, shardBytes = 0, stores } = options;
  let schema: ArrowSchema | undefined;
  const add = async (index: number): Promise<void> => {
    // With shardBytes, the number of shards is unknown until the end. Until then, every shard has a provisional name.
    const name = shardName(target, index, numShards ?? 0);
    const opened = await openTarget(name, { stores });
    if (numShards === undefined && opened.commitAs === undefined) {
      await opened.discard();
      throw new UnsupportedError(
        `shardBytes renames the files at the end, but ${name} cannot be renamed; use numShards instead.`,
        {
          feature: "shardBytes",
        },
      );
    }
    shards.push(await Shard.create(format, opened, writerOptions(data, schema as ArrowSchema, options)));
  };
  let numRows = 0;
  return writeAll(data, options, shards, {
    async open(arrowSchema) {
      schema = arrowSchema;
      for (let index = 0; index < (numShards ?? 1); index++) await add(index);
    },
    async write(batch) {
      if (numShards === undefined) {
        if ((shards.at(-1) as Shard).numBytes >= shardBytes) await add(shards.length);
        await (shards.at(-1) as Shard).write(batch);
        return;
      }
      for (let index = 0; index < numShards; index++) {
        const first = (((index - numRows) % numShards) + numShards) % numShards;
        const length = Math.max(0, Math.ceil((batch.numRows - first) / numShards));
        const rows = Uint32Array.from({ length }, (_, row) => first + row * numShards);
        if (length > 0) await (shards[index] as Shard).write(takeRows(batch, rows));
      }
      numRows += batch.numRows;
    },
  });
}

interface ShardSink {
  /** Called once, before the first write. If there are no batches, called only if the Arrow schema is known. */
  open(arrowSchema: ArrowSchema): Promise<void>;
  write(batch: RecordBatch): Promise<void>;
}

/** Writes all batches to `sink`. Returns the number of rows. */
async function writeAll(
  data: WritableData,
  options: WriteTfxioOptions,
  shards: readonly Shard[],
  sink: ShardSink,
): Promise<number> {
  const { signal, onProgress } = options;
  let numRows = 0;
  let isOpen = false;
  const known = options.arrowSchema ?? arrowSchemaOf(data);
  const { asOwnBatch } = await loadOwnBatch();
  for await (const given of isTfxio(data)
    ? data.recordBatches({ signal })
    : itemsUntilAborted(data, signal)) {
    signal?.throwIfAborted();
    assertBatch(given);
    const batch = asOwnBatch(given);
    if (!isOpen) await sink.open(known ?? batch.schema);
    isOpen = true;
    await sink.write(batch);
    numRows += batch.numRows;
    if (onProgress !== undefined) {
      reportProgress(onProgress, {
        numRows,
        numBytes: shards.reduce((sum, shard) => sum + shard.numBytes, 0),
      });
    }
  }
  if (isOpen) return numRows;
  if (known === undefined) {
    throw new SchemaError(
      "schema-required",
      "The data has no batches, so its Arrow schema is unknown; pass arrowSchema.",
      {
        reason: "no-batches",
      },
    );
  }
  await sink.open(known);
  return numRows;
}

function writerOptions(data: WritableData, arrowSchema: ArrowSchema, options: WriteTfxioOptions) {
  const schema = options.schema ?? schemaOf(data);
  return { arrowSchema, schema, options: options.formatOptions ?? {}, signal: options.signal };
}
