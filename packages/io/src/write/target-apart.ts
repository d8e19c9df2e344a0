import { type ByteStore, fileIdentity, isByteTarget, type TargetInput } from "@tfxio/wire";
import { isTagged, unusableArgument } from "@tfxio/wire/checks";
import { originsOf } from "../description/described-tfxios.js";
import { shardsBeside } from "./shard-names.js";
import type { WritableData } from "./writable-data.js";

/** Options of {@link assertTargetApart}. */
export interface TargetApartOptions {
  /** True if shards are named after the target. Then no existing shard of any count may be a source. */
  readonly isSharded?: boolean | undefined;
  /** Stores for the target's URI. Default: none. */
  readonly stores?: readonly ByteStore[] | undefined;
}

/**
 * Checks that writing to `target` does not replace a file that `data` reads, even through links or other names. Writers call
 * this themselves. Call it yourself before writing several targets. Bytes, streams and the caller's batches have no files to
 * replace.
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

/** Returns the path or URI of a target, or undefined for memory, file handles and the caller's own targets. */
function nameOf(target: TargetInput): string | undefined {
  if (typeof target === "string") return target;
  if (isTagged("URL")(target)) return (target as URL).href;
  // Only targets of files can be renamed.
  return isByteTarget(target) && target.commitAs !== undefined ? target.uri : undefined;
}

/**
 * Returns an identity that is equal for all names of a file, or undefined if the file does not exist. A URI that is not a file's
 * is its own identity.
 */
async function identityOf(name: string): Promise<string | undefined> {
  return /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(name) ? name : fileIdentity(name);
}
