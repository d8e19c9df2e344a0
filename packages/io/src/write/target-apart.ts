import { type ByteStore, fileIdentity, isByteTarget, type TargetInput } from "@tfxio/wire";
import { isTagged, unusableArgument } from "@tfxio/wire/checks";
import { originsOf } from "../description/described-tfxios.js";
import { shardsBeside } from "./shard-names.js";
import type { WritableData } from "./writable-data.js";

/** Options of {@link assertTargetApart}. */
export interface TargetApartOptions {
  /** True if shards are named after the target. Then none of the existing shards may be a source, whatever their count. */
  readonly isSharded?: boolean | undefined;
  /** Storage for URIs. */
  readonly stores?: readonly ByteStore[] | undefined;
}

/**
 * Checks that writing to `target` replaces no file that `data` reads, whichever links and names lead to it. Writers call this
 * themselves; call it before a write of several targets. Bytes, streams and batches of the caller have no files to replace.
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

/** The path or URI of a target. Undefined for memory, file handles and targets of the caller. */
function nameOf(target: TargetInput): string | undefined {
  if (typeof target === "string") return target;
  if (isTagged("URL")(target)) return (target as URL).href;
  // Only targets of files can be renamed.
  return isByteTarget(target) && target.commitAs !== undefined ? target.uri : undefined;
}

/** Equal for all names of a file. Undefined if it does not exist. Other URIs identify themselves. */
async function identityOf(name: string): Promise<string | undefined> {
  return /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(name) ? name : fileIdentity(name);
}
