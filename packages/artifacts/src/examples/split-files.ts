import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { unusableArgument } from "@tfxio/wire/checks";
import { SourceError } from "@tfxio/wire/errors";
import { localPathOf } from "../uris.js";
import type { Examples } from "./examples-of.js";
import { splitUri } from "./examples-input.js";

/** Returns the URI pattern of a split's files, as TFX builds it: `<uri>/Split-<name>/*` or `<uri>/<custom pattern>`. */
export function splitPattern({ uri, splitPatterns }: Examples, splitName: string): string {
  const own = splitPatterns?.[splitName];
  return own === undefined ? `${splitUri(uri, splitName)}/*` : `${uri.replace(/\/+$/u, "")}/${own}`;
}

/**
 * Returns the sources of a split for `openTfxio`. For a byte store or custom patterns, the only source is a pattern. Otherwise,
 * the sources are the file URLs of the files in the split's folder, sorted by URL, without files whose names begin with a dot
 * or an underscore. If the folder `Split-<name>` is missing or has no files, the folder `<name>` is used, where TFX before 0.29
 * wrote the files.
 * @throws {ArgumentError} `invalid-argument` if `examples.uri` is empty, is a `file:` URI with a host other than `localhost`, or,
 * for a byte store or custom patterns, contains pattern characters.
 * @throws {SourceError} `not-found` (`no-match`) if the folder does not exist or has no files; `io-failed` (`file`) if the folder
 * cannot be listed or a file in it cannot be opened, such as a link to a missing file.
 */
export async function splitFiles(examples: Examples, splitName: string): Promise<readonly string[]> {
  const { uri, splitPatterns } = examples;
  const folder = localPathOf(uri);
  // An empty URI would otherwise refer to the working directory.
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
    const areFiles = await Promise.all(files.map(isFile));
    const found = files.filter((_, index) => areFiles[index]).map((file) => pathToFileURL(file).href);
    if (found.length > 0) return found.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  }
  throw new SourceError(
    "not-found",
    `The split folder ${splitUri(folder, splitName)} does not exist or has no files.`,
    {
      uri,
      reason: "no-match",
    },
  );
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (cause) {
    const message = `${file} is listed in its folder, but cannot be opened: ${String(cause)}`;
    throw new SourceError("io-failed", message, { uri: file, reason: "file", cause });
  }
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
