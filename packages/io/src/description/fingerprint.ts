import type { ByteSource } from "@tfxio/wire";
import type { DataRequest } from "../reading/data-request.js";

/**
 * Returns a short string that identifies the files of a read, its filter and its sample. The string depends on the names, sizes
 * and order of the files, but not on their common folder. A dataset rejects a checkpoint or a stored dataset with a different
 * fingerprint. Contents are not read, so a changed file with the same name and size goes unnoticed.
 */
export function fingerprintOf(
  sources: readonly Pick<ByteSource, "uri" | "byteLength">[],
  { filter, sample }: Pick<DataRequest, "filter" | "sample">,
): string {
  const folder = commonFolder(sources.map(({ uri }) => uri));
  const files = sources.map(({ uri, byteLength }) => [uri.slice(folder.length), byteLength ?? null]);
  const text = JSON.stringify({ files, filter, sample }, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  // 32-bit FNV-1a over UTF-16 code units.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  const digits = (hash >>> 0).toString(16).padStart(8, "0");
  return `${sources.length} ${sources.length === 1 ? "file" : "files"}, ${digits}`;
}

/** Returns the longest prefix that all URIs share and that ends with a slash or backslash. The result may be empty. */
function commonFolder(uris: readonly string[]): string {
  const [first = [], ...others] = uris.map((uri) => uri.split(/(?<=[/\\])/).slice(0, -1));
  let depth = 0;
  while (depth < first.length && others.every((parts) => parts[depth] === first[depth])) depth++;
  return first.slice(0, depth).join("");
}
