import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { unusableArgument } from "@tfxio/wire/checks";
import { SourceError } from "@tfxio/wire/errors";
import { localPathOf } from "../uris.js";
import type { Examples } from "./examples-of.js";
import { splitUri } from "./examples-input.js";

/** Returns the pattern of a split's files, as TFX builds it. */
export function splitPattern({ uri, splitPatterns }: Examples, splitName: string): string {
  const own = splitPatterns?.[splitName];
  return own === undefined ? `${splitUri(uri, splitName)}/*` : `${uri.replace(/\/+$/u, "")}/${own}`;
}

/**
 * Returns the sources of a split for `openTfxio`. Local files are returned as file URLs, sorted by name. For a store or a custom
 * pattern, the result is a single pattern. Local files whose names begin with a dot or underscore are left out, as
 * everywhere in TFX. Artifacts written by TFX before 0.30 have folders without the prefix `Split-`; these are found as well.
 * @throws {ArgumentError} `invalid-argument` for an empty URI, a `file:` URI with a host, or a URI with pattern characters
 * where the result is a pattern.
 * @throws {SourceError} `not-found` if the folder does not exist or has no files.
 */
export async function splitFiles(examples: Examples, splitName: string): Promise<readonly string[]> {
  const { uri, splitPatterns } = examples;
  const folder = localPathOf(uri);
  // An empty URI would mean the working directory.
  if (uri === "" || (folder === undefined && /^file:/iu.test(uri)))
    throw unusableArgument(
      "uri",
      `must be a path, file:///… or the URI of a store, found ${uri || "no URI"}`,
    );
  if (folder === undefined || splitPatterns !== undefined) {
    if (/[*?[\]{}()!]/u.test(uri))
      throw unusableArgument("uri", `must not contain pattern characters, found ${uri}`);
    return [splitPattern({ ...examples, uri: folder ?? uri }, splitName)];
  }
  const candidates = [splitUri(folder, splitName), path.join(folder, splitName)];
  for (const candidate of splitName === "." || splitName === ".." ? candidates.slice(0, 1) : candidates) {
    const names = await namesIn(candidate);
    if (names === undefined) continue;
    const files = names.filter((name) => !/^[._]/u.test(name)).map((name) => path.resolve(candidate, name));
    const sizes = await Promise.all(files.map(async (file) => [file, await stat(file)] as const));
    const found = sizes.flatMap(([file, entry]) => (entry.isFile() ? [pathToFileURL(file).href] : []));
    if (found.length > 0) return found.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  }
  throw new SourceError("not-found", `${splitUri(folder, splitName)} has no files.`, {
    uri,
    reason: "no-match",
  });
}

async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(String((error as { readonly code?: unknown }).code))) return undefined;
    throw new SourceError("io-failed", `${folder} cannot be listed: ${String(error)}`, {
      uri: folder,
      reason: "file",
      cause: error,
    });
  }
}
