import { type Json, openTarget, removeFile, renameFile } from "@tfxio/wire";
import {
  aBoolean,
  aName,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";
import { describeRead } from "../description/described-tfxios.js";
import { reportProgress } from "../report-progress.js";
import type { Tfxio } from "../tfxio.js";
import { batchesFrom } from "./read-from-cursor.js";
import { Shard } from "./shard.js";
import { aNumberOfShards, assertNoOtherShards, shardName } from "./shard-names.js";
import { ShardSequence } from "./shard-sequence.js";
import { schemaOf } from "./writable-data.js";
import { writableFormat } from "./writable-format.js";
import {
  digestOf,
  dropJournal,
  journalPath,
  partPath,
  readJournal,
  type WriteCursor,
} from "./write-journal.js";
import {
  assertNoGlob,
  WRITE_RULES,
  type WriteProgress,
  type WriteSummary,
  type WriteTfxioOptions,
} from "./write-tfxio.js";

/** Options of {@link writeShards}: one of `numShards`, `shardRows` and `shardBytes`. */
export interface WriteShardsOptions extends Omit<WriteTfxioOptions, "arrowSchema" | "stores" | "onProgress"> {
  /** So many shards of equal numbers of rows; rows are counted first, if the files do not tell how many there are. */
  readonly numShards?: number | undefined;
  /** Rows of every shard but the last. */
  readonly shardRows?: number | undefined;
  /** Begins another shard once one has about this many bytes. */
  readonly shardBytes?: number | undefined;
  /** Drops what an interrupted write to the same target has done. Default false: goes on with it. */
  readonly restart?: boolean | undefined;
  /** Told after each batch. What it throws ends the write as `user-function`. */
  readonly onProgress?: ((progress: ShardsProgress) => void) | undefined;
}

/** How far {@link writeShards} has come; rows and bytes are those of all runs together. */
export interface ShardsProgress extends WriteProgress {
  /** The file that is being read. */
  readonly uri: string;
  /** Uncompressed bytes of that file that this run has read. */
  readonly numBytesRead: number;
}

/** What was written, by all runs together. */
export interface ShardsSummary extends WriteSummary {
  /** Shards that an interrupted run had finished. */
  readonly numResumed: number;
}

const { arrowSchema: _arrowSchema, stores: _stores, ...SHARED_RULES } = WRITE_RULES;

const SHARDS_RULES: OptionRules<WriteShardsOptions> = {
  ...SHARED_RULES,
  numShards: aNumberOfShards,
  shardRows: aPositiveInteger,
  shardBytes: aPositiveInteger,
  restart: aBoolean,
};

/**
 * Writes all rows in their order to shards, one after another, so that a run that was interrupted, even killed, goes on
 * after its last finished shard when it is repeated: with the same input, which must not have changed, and the same
 * options. Until all rows are written, finished shards and a journal lie beside the target under hidden names. Node only.
 * Memory: what a batch takes.
 * @param target A path that shards are named after, as by `writeTfxio`.
 * @throws {ArgumentError} `invalid-argument` (`other-write` for what another write has left; `other-shards`), and
 * `unknown-format`; {@link SchemaError} `schema-required`; {@link UnsupportedError} `unsupported` for a format that cannot be
 * written, and for data that {@link describeRead} cannot describe; errors of reading and writing.
 */
export async function writeShards(
  tfxio: Tfxio,
  target: string,
  options: WriteShardsOptions,
): Promise<ShardsSummary> {
  assertOptions("writeShards", options, SHARDS_RULES);
  assertArgument("target", target, aName);
  assertNoGlob(target);
  const { numShards, shardRows, shardBytes, restart, signal } = options;
  if ([numShards, shardRows, shardBytes].filter((size) => size !== undefined).length !== 1)
    throw unusableArgument("numShards", "must be given, or shardRows, or shardBytes, and one of them only");
  const format = writableFormat(target, options);
  const arrowSchema = tfxio.arrowSchema();
  const digest = await digestOf({
    read: describeRead(tfxio) as unknown as Json,
    write: { format: format.id, formatOptions: (options.formatOptions ?? {}) as Json },
    size: {
      ...(numShards && { numShards }),
      ...(shardRows && { shardRows }),
      ...(shardBytes && { shardBytes }),
    },
  });
  if (restart === true) await dropJournal(target);
  const earlier = await readJournal(target, digest);
  if (numShards !== undefined) await assertNoOtherShards(target, numShards, undefined);
  const numRows =
    numShards === undefined ? undefined : (earlier?.numRows ?? (await tfxio.countRows({ signal })));
  const schema = options.schema ?? schemaOf(tfxio);
  const writer = { arrowSchema, schema, options: options.formatOptions ?? {}, signal };
  const journal = earlier ?? { version: 1, digest, numRows, shards: [], cursor: START };
  const sequence = new ShardSequence(target, journal, {
    begin: async (index) =>
      Shard.create(format, await openTarget(shardName(target, index, numShards ?? 0)), writer),
    numRowsOf: (index) => rowsOfShard(index, { numRows, numShards, shardRows }),
    shardBytes: shardBytes ?? Number.POSITIVE_INFINITY,
  });
  if (journal.cursor !== undefined) {
    try {
      for await (const placed of batchesFrom(await tfxio.plan(), journal.cursor, signal)) {
        await sequence.write(placed);
        const { uri, numBytesRead } = placed;
        reportProgress(options.onProgress, { ...sequence.written, uri, numBytesRead });
        signal?.throwIfAborted();
      }
      await sequence.finish(numShards ?? 1);
    } catch (error) {
      await sequence.discard();
      throw error;
    }
  }
  const uris = await nameShards(target, sequence.shards.length);
  return { uris, ...sequence.written, numResumed: earlier?.shards.length ?? 0 };
}

const START: WriteCursor = { split: 0, numSkipped: 0 };

/** Rows of a shard; those of the last take what is left. */
function rowsOfShard(
  index: number,
  {
    numRows,
    numShards,
    shardRows,
  }: Pick<WriteShardsOptions, "numShards" | "shardRows"> & { readonly numRows?: number | undefined },
): number {
  if (numRows === undefined || numShards === undefined) return shardRows ?? Number.POSITIVE_INFINITY;
  if (index === numShards - 1) return Number.POSITIVE_INFINITY;
  const boundary = (shard: number): number => Math.floor((shard * numRows) / numShards);
  return boundary(index + 1) - boundary(index);
}

/** Gives all shards their names. Those that have theirs already, by a run that was interrupted here, keep it. */
async function nameShards(target: string, numShards: number): Promise<string[]> {
  await assertNoOtherShards(target, numShards, undefined);
  const uris = Array.from({ length: numShards }, (_, index) => shardName(target, index, numShards));
  for (const [index, uri] of uris.entries()) await renameFile(partPath(target, index), uri);
  await removeFile(journalPath(target));
  return uris;
}
