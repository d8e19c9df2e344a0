import { ArgumentError, fileSource, isTfxioError, type Json, openTarget, removeFile } from "@tfxio/wire";
import type { Position } from "@tfxio/wire";

/** Position at which writing resumes. The next row is in split `split`, `numSkipped` rows after the position `from`. */
export interface WriteCursor {
  /** Index of the split in the plan. */
  readonly split: number;
  /** Default: the beginning of the split. */
  readonly from?: Position | undefined;
  /** Number of rows after `from` that are already written. */
  readonly numSkipped: number;
}

/** A finished shard. It has a hidden name until all shards are written. */
export interface WrittenShard {
  readonly numRows: number;
  readonly numBytes: number;
}

/** State of an unfinished write, as plain JSON. */
export interface WriteJournal {
  readonly version: 1;
  /**
   * SHA-256 digest of the read's description and the write options. A write with a different digest cannot reuse the finished
   * shards.
   */
  readonly digest: string;
  /** Number of rows of all shards together. Present if the write has the option `numShards`. */
  readonly numRows?: number | undefined;
  /** The finished shards, in order. */
  readonly shards: readonly WrittenShard[];
  /** Absent if all rows are written and only the final names are missing. */
  readonly cursor?: WriteCursor | undefined;
}

/** Returns the path of the journal of writes to `target`: a hidden file in the same directory. */
export function journalPath(target: string): string {
  return hiddenName(target, "journal.json");
}

/** Returns the path that shard `index` has until all shards are written: a hidden file in the same directory. */
export function partPath(target: string, index: number): string {
  return hiddenName(target, `part-${String(index).padStart(5, "0")}`);
}

function hiddenName(target: string, ending: string): string {
  const slash = Math.max(target.lastIndexOf("/"), target.lastIndexOf("\\")) + 1;
  return `${target.slice(0, slash)}.${target.slice(slash)}.${ending}`;
}

/**
 * Reads the journal of an interrupted write to `target`. Returns undefined if no journal exists.
 * @throws {ArgumentError} `invalid-argument` (`other-write`) for the journal of a different write, and for an invalid journal.
 */
export async function readJournal(target: string, digest: string): Promise<WriteJournal | undefined> {
  const path = journalPath(target);
  let bytes: Uint8Array;
  try {
    const source = await fileSource(path);
    bytes = await source.slice(0, source.byteLength ?? 0);
  } catch (error) {
    if (isTfxioError(error, "not-found")) return undefined;
    throw error;
  }
  const journal = parsed(new TextDecoder().decode(bytes));
  if (journal?.version === 1 && journal.digest === digest) return journal as WriteJournal;
  const message =
    `${path} is damaged, or is from an interrupted write to ${target} whose input, options or schema were different. ` +
    "Repeat that write to finish it, or pass restart: true to discard its shards.";
  throw new ArgumentError("invalid-argument", message, { argument: "target", reason: "other-write" });
}

/** Parses JSON. Returns undefined for text that is not JSON. */
function parsed(text: string): Partial<WriteJournal> | undefined {
  try {
    return JSON.parse(text) as Partial<WriteJournal>;
  } catch {
    return undefined;
  }
}

/** Replaces the journal atomically: a reader finds either the old or the new journal. */
export async function writeJournal(target: string, journal: WriteJournal): Promise<void> {
  const file = await openTarget(journalPath(target));
  try {
    await file.write(new TextEncoder().encode(JSON.stringify(journal)));
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Removes the journal of any write to `target`, and the shards of that write that still have hidden names. */
export async function dropJournal(target: string): Promise<void> {
  const source = await fileSource(journalPath(target)).catch(() => undefined);
  if (source === undefined) return;
  const journal = parsed(new TextDecoder().decode(await source.slice(0, source.byteLength ?? 0)));
  // A crash may have left one finished shard that the journal does not list yet.
  const numParts = (journal?.shards?.length ?? 0) + 1;
  for (let index = 0; index < numParts; index++) await removeFile(partPath(target, index));
  await removeFile(journalPath(target));
}

/** Returns the SHA-256 digest of the JSON text of `value`, as 64 lowercase hexadecimal digits. */
export async function digestOf(value: Json): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
