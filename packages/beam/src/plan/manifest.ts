import { ArgumentError, type ByteStore, openSources, openTarget, RecordError } from "@tfxio/wire";
import { anAbortSignal, assertOptions, isObject, unusableArgument } from "@tfxio/wire/checks";
import type { WrittenShard } from "./write-unit.js";

/** The list of the shards of a complete output, as JSON. A reader of exactly these files sees every row once. */
export interface ShardManifest {
  readonly version: 1;
  /** Number of rows in all shards. */
  readonly numRows: number;
  /** In the order of the units. */
  readonly shards: readonly WrittenShard[];
}

/** Options of {@link publishManifest} and {@link readManifest}. */
export interface ManifestOptions {
  /** Stores for the scheme of the URI. Default: none; a manifest can then be written only to a path or a `file:` URL. */
  readonly stores?: readonly ByteStore[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

const RULES = { stores: null, signal: anAbortSignal };

/**
 * Checks that every unit wrote its shard, and writes the manifest to `uri`. The file gets its name only when it is complete, and
 * replaces an existing file. A unit that finished twice reports two equal shards, which count as one.
 * @param numUnits Number of units in the plan.
 * @throws {ArgumentError} `invalid-argument` (`incomplete-output`) if a unit has no shard, has two different shards, or is not
 *   in the plan.
 */
export async function publishManifest(
  uri: string,
  shards: Iterable<WrittenShard>,
  numUnits: number,
  options: ManifestOptions = {},
): Promise<ShardManifest> {
  assertOptions("publishManifest", options, RULES);
  const manifest = manifestOf(shards, numUnits);
  const target = await openTarget(uri, { stores: options.stores });
  try {
    await target.write(new TextEncoder().encode(`${JSON.stringify(manifest, undefined, 2)}\n`));
    options.signal?.throwIfAborted();
    await target.commit();
  } catch (error) {
    await target.discard();
    throw error;
  }
  return manifest;
}

/** Returns the manifest, with one shard for each unit. @throws {ArgumentError} like {@link publishManifest}. */
function manifestOf(shards: Iterable<WrittenShard>, numUnits: number): ShardManifest {
  const byIndex: (WrittenShard | undefined)[] = Array.from({ length: numUnits });
  for (const shard of shards) {
    const known = byIndex[shard.index];
    if (!Number.isInteger(shard.index) || shard.index < 0 || shard.index >= numUnits) {
      throw incomplete(
        `shard ${shard.uri} belongs to unit ${shard.index}, but the plan has ${numUnits} units, numbered from 0`,
      );
    }
    if (
      known !== undefined &&
      (known.uri !== shard.uri || known.numRows !== shard.numRows || known.numBytes !== shard.numBytes)
    ) {
      throw incomplete(
        `attempts at unit ${shard.index} differ: one wrote ${known.numRows} rows (${known.numBytes} bytes) to ${known.uri}, ` +
          `the other wrote ${shard.numRows} rows (${shard.numBytes} bytes) to ${shard.uri}`,
      );
    }
    byIndex[shard.index] = shard;
  }
  const complete = byIndex.filter((shard) => shard !== undefined);
  if (complete.length < numUnits) {
    const missing = Array.from(byIndex.keys()).filter((index) => byIndex[index] === undefined);
    const shown =
      missing.slice(0, 5).join(", ") + (missing.length > 5 ? ` and ${missing.length - 5} more` : "");
    throw incomplete(`${missing.length} of ${numUnits} units have no shard: ${shown}`);
  }
  return { version: 1, numRows: complete.reduce((sum, { numRows }) => sum + numRows, 0), shards: complete };
}

function incomplete(problem: string): ArgumentError {
  return unusableArgument("shards", `are not a complete output: ${problem}`, { reason: "incomplete-output" });
}

/**
 * Reads a published manifest. Open its files with `openTfxio(manifest.shards.map(({ uri }) => uri))`.
 * @throws {ArgumentError} `invalid-argument` (`manifest`) for a file that is not a manifest.
 * @throws {RecordError} `limit-exceeded` for a file of more than 256 MiB. Also throws the errors of reading the file.
 */
export async function readManifest(uri: string, options: ManifestOptions = {}): Promise<ShardManifest> {
  assertOptions("readManifest", options, RULES);
  const text = await textOf(uri, options);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notAManifest(uri, "it is not JSON", cause);
  }
  if (!isManifest(value))
    throw notAManifest(uri, "it must have version 1, a number of rows and a list of shards");
  return value;
}

/** Maximum size of a manifest in bytes. A manifest of a million shards is smaller. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads a file as UTF-8 text. @throws {RecordError} `limit-exceeded` above {@link MAX_BYTES}. */
async function textOf(uri: string, { stores, signal }: ManifestOptions): Promise<string> {
  const [source] = await openSources(uri, { stores, signal });
  const decoder = new TextDecoder();
  let text = "";
  let numBytes = 0;
  if (source === undefined) return text;
  for await (const chunk of source.stream({ signal })) {
    numBytes += chunk.length;
    if (numBytes > MAX_BYTES) {
      throw new RecordError(
        "limit-exceeded",
        `${uri} has more than ${MAX_BYTES} bytes, the maximum size of a manifest.`,
        { uri },
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function isManifest(value: unknown): value is ShardManifest {
  if (!isObject(value)) return false;
  const { version, numRows, shards } = value as Partial<Record<keyof ShardManifest, unknown>>;
  return version === 1 && Number.isSafeInteger(numRows) && Array.isArray(shards) && shards.every(isShard);
}

function isShard(value: unknown): value is WrittenShard {
  if (!isObject(value)) return false;
  const { index, uri, numRows, numBytes } = value as Partial<Record<keyof WrittenShard, unknown>>;
  return [index, numRows, numBytes].every(Number.isSafeInteger) && typeof uri === "string";
}

function notAManifest(uri: string, problem: string, cause?: unknown): ArgumentError {
  return new ArgumentError("invalid-argument", `${uri} is not a manifest of shards: ${problem}.`, {
    argument: "uri",
    reason: "manifest",
    cause,
  });
}
