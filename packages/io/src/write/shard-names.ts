import { ArgumentError, type ByteStore, isTfxioError, openSources } from "@tfxio/wire";
import { anInteger, type Rule } from "@tfxio/wire/checks";

/** Maximum number of shards that a caller can request: the largest number with the five digits of TFX's shard names. */
const MAX_SHARDS = 99_999;

/**
 * Returns the name of shard `index` (from 0) of `numShards`, in the scheme of TFX: `data.tfrecord.gz` becomes
 * `data.tfrecord-00000-of-00005.gz`. Both numbers have as many digits as `numShards`, but at least five, so names sort by index.
 */
export function shardName(target: string, index: number, numShards: number): string {
  const ending = target.endsWith(".gz") ? ".gz" : "";
  const stem = target.slice(0, target.length - ending.length);
  const numDigits = Math.max(5, String(numShards).length);
  const digits = (value: number): string => String(value).padStart(numDigits, "0");
  return `${stem}-${digits(index)}-of-${digits(numShards)}${ending}`;
}

/** Rule for a number of shards: an integer from 1 to {@link MAX_SHARDS}. */
export const aNumberOfShards: Rule = anInteger(1, MAX_SHARDS);

/**
 * Checks that `target` has no shards from a write with a different number of shards. A glob over the new shards would match those
 * too.
 * @throws {ArgumentError} `invalid-argument` (`other-shards`), naming up to three of these shards.
 */
export async function assertNoOtherShards(
  target: string,
  numShards: number,
  stores: readonly ByteStore[] | undefined,
): Promise<void> {
  const own = new Set(
    Array.from({ length: numShards }, (_, index) => baseName(shardName(target, index, numShards))),
  );
  const others = (await shardsBeside(target, stores)).filter((uri) => !own.has(baseName(uri)));
  if (others.length === 0) return;
  const shown = others.slice(0, 3).join(", ") + (others.length > 3 ? ` and ${others.length - 3} more` : "");
  throw new ArgumentError(
    "invalid-argument",
    `A write to ${target} with a different number of shards left these shards: ${shown}. ` +
      "A glob over the new shards would match them too; remove the existing shards first.",
    { argument: "target", reason: "other-shards" },
  );
}

/** Returns the existing files that are named like a shard of `target`, for any number of shards. */
export async function shardsBeside(
  target: string,
  stores: readonly ByteStore[] | undefined,
): Promise<readonly string[]> {
  const pattern = shardName(globbed(target), 0, 0).replace("-00000-of-00000", "-*-of-*");
  const shardNumber = /-\d{5,}-of-\d{5,}(?=(\.gz)?$)/;
  return (await namesOf(pattern, stores)).filter((uri) => {
    const name = baseName(uri);
    return shardNumber.test(name) && name.endsWith(".gz") === target.endsWith(".gz");
  });
}

/** Returns the files that match the glob `pattern`. Returns an empty list if none match, or the store cannot list files. */
async function namesOf(
  pattern: string,
  stores: readonly ByteStore[] | undefined,
): Promise<readonly string[]> {
  try {
    return (await openSources(pattern, { stores })).map(({ uri }) => uri);
  } catch (error) {
    if (isTfxioError(error, "not-found", "unsupported")) return [];
    throw error;
  }
}

/** Converts `target` to a glob that matches only this name. A `file:` URL is first converted to its path. */
function globbed(target: string): string {
  const path = target.startsWith("file:") ? decodeURIComponent(new URL(target).pathname) : target;
  return path.replace(/[*?[\]{}()!]/g, (character) => `[${character}]`);
}

function baseName(uri: string): string {
  return uri.slice(uri.lastIndexOf("/") + 1);
}
