import { takeRows } from "@tfxio/arrow-encoding";
import type { Format, FormatRegistry } from "@tfxio/format";
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
import {
  arrowSchemaOf,
  assertBatch,
  assertWritableData,
  isTfxio,
  schemaOf,
  type WritableData,
} from "./writable-data.js";
import { writableFormat, type Writable } from "./writable-format.js";

/** How far {@link writeTfxio} has come. */
export interface WriteProgress {
  readonly numRows: number;
  /** Bytes handed to the targets so far; compressors hold some back. */
  readonly numBytes: number;
}

/** Options of {@link writeTfxio}. */
export interface WriteTfxioOptions {
  /** A format, or the id of one in `formats`. Default: by the target's name. */
  readonly format?: string | Format | undefined;
  /** Where formats are looked up. Default: the formats of this package's dependencies. */
  readonly formats?: FormatRegistry | undefined;
  /** Options of the format, such as TFRecord's `compression`. */
  readonly formatOptions?: Readonly<Record<string, unknown>> | undefined;
  /** What columns mean whose types do not tell. Default: the schema of the TFXIO that is written, if it has one. */
  readonly schema?: Schema | undefined;
  /** Schema of every batch. Default: that of the TFXIO or of the first batch; no batches at all need one. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /**
   * Writes so many files, row `i` to file `i % numShards`, named `data.tfrecord-00000-of-00005` and so on. Default: one
   * file of the target's own name.
   */
  readonly numShards?: number | undefined;
  /** Begins another file once one has about this many bytes; named as with `numShards`. Not together with it. */
  readonly shardBytes?: number | undefined;
  /** Storage that the target's URI may name. */
  readonly stores?: readonly ByteStore[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told after each batch. What it throws ends the write as `user-function`. */
  readonly onProgress?: ((progress: WriteProgress) => void) | undefined;
}

/** What was written. */
export interface WriteSummary {
  /** The files, in shard order. */
  readonly uris: readonly string[];
  readonly numRows: number;
  /** Bytes as stored, of all files. */
  readonly numBytes: number;
}

/** What the options must be. */
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
 * Writes record batches, or all rows of a TFXIO, in any format that can be written. Nothing has its final name before
 * everything is written; when anything fails, nothing is left behind. Shards of the same count are replaced; beside
 * shards of another count nothing is written, since a glob would mix them. Memory: what a batch takes, and a chunk or two
 * for each shard.
 * @param target A path, a URI of `stores`, a `ByteTarget`, or a file handle of a browser; with shards a path or URI.
 * @throws {ArgumentError} `invalid-argument` (`other-shards` and `glob-target` among them), `unknown-format`; {@link UnsupportedError}
 * `unsupported` for a format that cannot be written; {@link SchemaError} `schema-mismatch` (`batch-schema`) for batches of different schemas; errors of the
 * batches, the format and the target.
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
    ? rule("a path or URI that shards can be named after", aName.holds)
    : rule("a path, a URI, a ByteTarget or a file handle", (value) => aName.holds(value) || isObject(value));
  assertArgument("target", target, aTarget);
  assertNoGlob(target);
  assertWritableData(data);
  const format = writableFormat(target, options);
  signal?.throwIfAborted();
  if (numShards !== undefined) await assertNoOtherShards(target as string, numShards, options.stores);
  const shards: Shard[] = [];
  try {
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
    // One that was handed in may not have got to a shard yet.
    if (isByteTarget(target)) await target.discard();
    throw error;
  }
}

/** Braces without a choice stand for themselves. */
const A_GLOB = /[*?]|\{[^}]*(?:,|\.\.)[^}]*\}/;

/**
 * A path is no glob, but whoever reads takes one for it; a `file:` URL never is.
 * @throws {ArgumentError} `invalid-argument` (`glob-target`).
 */
export function assertNoGlob(target: TargetInput): void {
  if (typeof target !== "string" || /^[a-z][a-z0-9+.-]+:/i.test(target) || !A_GLOB.test(target)) return;
  const problem = `must name one file, found the glob ${JSON.stringify(target)}; a file: URL names a file of this very name`;
  throw unusableArgument("target", problem, { owner: "writeTfxio", reason: "glob-target" });
}

/** Writes all batches into one target. */
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

/** Deals rows out to shards, or begins the next one when one is full. */
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
    // How many there are is known at the end; until then, nobody sees the name.
    const name = shardName(target, index, numShards ?? 0);
    const opened = await openTarget(name, { stores });
    if (numShards === undefined && opened.commitAs === undefined) {
      await opened.discard();
      throw new UnsupportedError(`${name} cannot be renamed, which shardBytes needs; give numShards.`, {
        feature: "shardBytes",
      });
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
  /** Called once, before the first write, also when there is none. */
  open(arrowSchema: ArrowSchema): Promise<void>;
  write(batch: RecordBatch): Promise<void>;
}

/** Carries the batches to `sink`; gives the number of rows. */
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
  for await (const batch of isTfxio(data)
    ? data.recordBatches({ signal })
    : itemsUntilAborted(data, signal)) {
    signal?.throwIfAborted();
    assertBatch(batch);
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
      "There are no batches to take an Arrow schema from; give arrowSchema.",
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
