import { type ByteStore, fileIdentity, isByteTarget, type TargetInput } from "@tfxio/wire";
import { isTagged, unusableArgument } from "@tfxio/wire/checks";
import { originsOf } from "../description/described-tfxios.js";
import { shardsBeside } from "./shard-names.js";
import type { WritableData } from "./writable-data.js";

/** Options of {@link assertTargetApart}. */
export interface TargetApartOptions {
  /**
   * True if the target's name is the base of shard names. Then no existing shard of the target may be a source, even one from a
   * write with a different number of shards. Default false.
   */
  readonly isSharded?: boolean | undefined;
  /** Stores that open the target's URI. Default: none. */
  readonly stores?: readonly ByteStore[] | undefined;
}

/**
 * Checks that writing to `target` does not replace a file that `data` reads, even under another name, such as a link.
 * `writeTfxio` and `writeShards` call this themselves. Before you write several targets, call it for each of them. Data from
 * bytes, streams and the caller's batches always passes.
 * @throws {ArgumentError} `invalid-argument` (`target-is-source`), naming the source.
 */
export async function assertTargetApart(
  data: WritableData,
  target: TargetInput,
  { isSharded = false, stores }: TargetApartOptions = {},
): Promise<void> {
  const origins = originsOf(data);
  const name = nameOf(target);
  if (origins.length === 0 || name === undefined) return;
  const replaced = new Set<string>();
  for (const file of isSharded ? await shardsBeside(name, stores) : [name]) {
    const identity = await identityOf(file);
    if (identity !== undefined) replaced.add(identity);
  }
  if (replaced.size === 0) return;
  for (const origin of origins) {
    const identity = await identityOf(origin);
    if (identity === undefined || !replaced.has(identity)) continue;
    const what = isSharded ? `shards of ${name} would replace` : `${name} would replace`;
    throw unusableArgument(
      "target",
      `must not be a source of the data: ${what} ${origin}, which is still being read`,
      {
        reason: "target-is-source",
      },
    );
  }
}

/** Returns the path or URI of a target. Returns undefined for memory, file handles and the caller's own targets. */
function nameOf(target: TargetInput): string | undefined {
  if (typeof target === "string") return target;
  if (isTagged("URL")(target)) return (target as URL).href;
  // Only targets that are files have `commitAs`, which renames them.
  return isByteTarget(target) && target.commitAs !== undefined ? target.uri : undefined;
}

/**
 * Returns a string that is the same for all names of a file, or undefined if the file does not exist. For a URI whose
 * scheme is not `file:`, returns the URI itself.
 */
async function identityOf(name: string): Promise<string | undefined> {
  return /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(name) ? name : fileIdentity(name);
}
