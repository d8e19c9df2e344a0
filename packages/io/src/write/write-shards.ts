import { ArgumentError, type Json, openTarget, removeFile, renameFile } from "@tfxio/wire";
import {
  aBoolean,
  aName,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  type OptionRules,
} from "@tfxio/wire/checks";
import { describeRead } from "../description/described-tfxios.js";
import { describeRequest } from "../description/request-json.js";
import { reportProgress } from "../report-progress.js";
import type { Tfxio } from "../tfxio.js";
import { batchesFrom } from "./read-from-cursor.js";
import { Shard } from "./shard.js";
import { aNumberOfShards, assertNoOtherShards, shardName } from "./shard-names.js";
import { ShardSequence } from "./shard-sequence.js";
import { assertTargetApart } from "./target-apart.js";
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

/** Options of {@link writeShards}. Exactly one of `numShards`, `shardRows` and `shardBytes` is required. */
export interface WriteShardsOptions extends Omit<WriteTfxioOptions, "arrowSchema" | "stores" | "onProgress"> {
  /**
   * Number of shards. Their row counts differ by at most one. If the number of rows is unknown, the rows are counted first, in an
   * additional pass.
   */
  readonly numShards?: number | undefined;
  /** Number of rows in every shard; the last shard may have fewer. */
  readonly shardRows?: number | undefined;
  /** Starts a new shard when the current shard has about this many bytes. */
  readonly shardBytes?: number | undefined;
  /**
   * Discards the shards of an interrupted write to the same target and starts from the first row. Default false: resumes that
   * write.
   */
  readonly restart?: boolean | undefined;
  /** Called after each batch. If it throws, the write rejects with `user-function`. */
  readonly onProgress?: ((progress: ShardsProgress) => void) | undefined;
}

/** Progress of {@link writeShards}. `numRows` and `numBytes` are totals over all runs. */
export interface ShardsProgress extends WriteProgress {
  /** URI of the file being read. */
  readonly uri: string;
  /** Number of uncompressed bytes of that file that this run has read. */
  readonly numBytesRead: number;
}

/** Result of {@link writeShards}. The counts are totals over all runs. */
export interface ShardsSummary extends WriteSummary {
  /** Number of shards that earlier, interrupted runs had finished. */
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
 * Writes all rows, in order, to one shard after another. If a run is interrupted, or even killed, repeating the call resumes
 * after the last finished shard. The repeated call needs the same options and an unchanged input. Until all rows are written,
 * finished shards and a journal are stored in the target's directory under hidden names. Node only. Holds one batch in memory,
 * and whatever the writer buffers.
 * @param target A path from which the shard names are derived, such as `data.tfrecord`; see {@link shardName}.
 * @throws {ArgumentError} `invalid-argument`, with reasons such as `other-shards`, `glob-target`, `target-is-source`, and
 *   `other-write` if a different write to this target was interrupted. `unknown-format` if no format has the requested id or the
 *   target's extension.
 * @throws {SchemaError} `schema-required` for a TFXIO without a schema.
 * @throws {UnsupportedError} `unsupported` for a format without a writer, and for data that {@link describeRead} cannot describe.
 *   Also throws whatever reading and writing throw.
 */
export async function writeShards(
  tfxio: Tfxio,
  target: string,
  options: WriteShardsOptions,
): Promise<ShardsSummary> {
  assertOptions("writeShards", options, SHARDS_RULES);
  assertArgument("target", target, aName);
  assertNoGlob("writeShards", target);
  const { numShards, shardRows, shardBytes, restart, signal } = options;
  const sizes = Object.entries({ numShards, shardRows, shardBytes }).filter(([, size]) => size !== undefined);
  if (sizes.length !== 1) {
    const found = sizes.map(([name]) => name).join(", ") || "none";
    throw new ArgumentError(
      "invalid-argument",
      `writeShards requires exactly one of the options numShards, shardRows and shardBytes, found ${found}.`,
      { argument: "numShards" },
    );
  }
  const format = writableFormat(target, options);
  await assertTargetApart(tfxio, target, { isSharded: true });
  const arrowSchema = tfxio.arrowSchema();
  const { schema: writtenSchema } = describeRequest({ schema: options.schema });
  const digest = await digestOf({
    read: describeRead(tfxio) as unknown as Json,
    write: {
      format: format.id,
      formatOptions: (options.formatOptions ?? {}) as Json,
      ...(writtenSchema !== undefined && { schema: writtenSchema }),
    },
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

/**
 * Returns the maximum number of rows in shard `index`. Returns infinity if `shardBytes` limits the shards, and for the last of
 * `numShards` shards, which takes all remaining rows.
 */
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

/**
 * Gives all shards their final names, and removes the journal. Shards that an interrupted run has already renamed keep their
 * names.
 */
async function nameShards(target: string, numShards: number): Promise<string[]> {
  await assertNoOtherShards(target, numShards, undefined);
  const uris = Array.from({ length: numShards }, (_, index) => shardName(target, index, numShards));
  for (const [index, uri] of uris.entries()) await renameFile(partPath(target, index), uri);
  await removeFile(journalPath(target));
  return uris;
}
