import { fileSource, findFiles } from "#fs";
import { blobSource } from "./blob-source.js";
import type { ByteSource } from "./byte-source.js";
import { describeInput, isByteSource } from "./check-source.js";
import { bytesSource } from "./bytes-source.js";
import { assertOptions } from "./check-options.js";
import { ArgumentError, UnsupportedError } from "./errors.js";
import { httpSource } from "./http-source.js";

/**
 * What names bytes. A string is a path, a glob (`*`, `**`, `?`, `[…]`, `{a,b}`; matched files come sorted by name), or a
 * `file:`, `http:` or `https:` URL. Paths, globs and `file:` URLs are for Node only.
 */
export type SourceInput = string | URL | Blob | Uint8Array | ArrayBuffer | ByteSource;

/** Options of {@link openSources}. */
export interface OpenSourcesOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A source for every input, in the order given; a glob stands for several. Finds out that they exist and how long they
 * are, and reads nothing yet. Inputs without a name are called `bytes:0`, `blob:1` by their position.
 * @throws {SourceError} `not-found` (with `no-match` for a glob), `io-failed`.
 * {@link ArgumentError} `invalid-argument` (`no-input`, `directory`, `source-type`).
 * {@link UnsupportedError} `unsupported` (`url-scheme`; `file-system` in browsers).
 */
export async function openSources(
  input: SourceInput | readonly SourceInput[],
  options: OpenSourcesOptions = {},
): Promise<readonly ByteSource[]> {
  assertOptions(options, ["signal"], "openSources");
  const { signal } = options;
  const inputs = Array.isArray(input) ? (input as readonly SourceInput[]) : [input as SourceInput];
  if (inputs.length === 0) {
    throw new ArgumentError("invalid-argument", "No input was given to read from.", {
      argument: "input",
      reason: "no-input",
    });
  }
  signal?.throwIfAborted();
  const sources = await Promise.all(inputs.map((one, index) => openOne(one, index, signal)));
  signal?.throwIfAborted();
  return sources.flat();
}

async function openOne(
  input: SourceInput,
  index: number,
  signal: AbortSignal | undefined,
): Promise<readonly ByteSource[]> {
  if (typeof input === "string") return openName(input, signal);
  switch (Object.prototype.toString.call(input)) {
    case "[object URL]":
      return openName((input as URL).href, signal);
    case "[object Blob]":
      return [blobSource(input as Blob, `blob:${index}`)];
    case "[object File]":
      return [blobSource(input as Blob)];
    case "[object Uint8Array]":
    case "[object ArrayBuffer]":
      return [bytesSource(input as Uint8Array | ArrayBuffer, `bytes:${index}`)];
    default:
      if (isByteSource(input)) return [input];
  }
  throw new ArgumentError(
    "invalid-argument",
    `Input ${index} is ${describeInput(input)}; expected a path, glob, URL, Blob, Uint8Array, ArrayBuffer or ByteSource.`,
    { argument: "input", reason: "source-type" },
  );
}

async function openName(name: string, signal: AbortSignal | undefined): Promise<readonly ByteSource[]> {
  // Two letters at least: C:\data is a path.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(name)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return [await httpSource(name, { signal })];
  if (scheme === "file") return [await fileSource(new URL(name))];
  if (scheme !== undefined && name.startsWith("//", scheme.length + 1)) {
    throw new UnsupportedError(`${name}: ${scheme}: URLs cannot be read; hand in a ByteSource for them.`, {
      feature: `${scheme}: URLs`,
      reason: "url-scheme",
    });
  }
  const files = await findFiles(name);
  return Promise.all(files.map((file) => fileSource(file)));
}
