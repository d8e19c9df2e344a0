import { fileSource, findFiles } from "#fs";
import { blobSource } from "./blob-source.js";
import type { ByteSource } from "./byte-source.js";
import type { ByteStore, StoreEntry } from "./byte-store.js";
import { isByteStream } from "./byte-stream.js";
import { bytesSource } from "./bytes-source.js";
import { anAbortSignal, assertOptions, describeValue, invalidArgument } from "../checks/index.js";
import { isByteSource } from "./check-source.js";
import { assertStores, schemeOf, storeOf } from "./check-stores.js";
import { ArgumentError, SourceError, UnsupportedError } from "../errors.js";
import { httpSource } from "./http/http-source.js";
import { inParallel } from "./in-parallel.js";
import { DEFAULT_RETRIES, retrying, withRetries } from "./retrying.js";
import { type OpenByteStream, streamSource } from "./stream-source.js";

/**
 * An input to read. A string is a path, a glob (`*`, `**`, `?`, `[…]`, `{a,b}`), or a `file:`, `http:` or `https:` URL. It may
 * also be a URI for one of the {@link ByteStore}s, or a glob of such URIs if the store can list objects. The files of a glob are
 * sorted by name. A glob does not follow links to folders at or after its first `**`. Paths, globs of paths and `file:` URLs work
 * in Node only. A function must open a new stream of the same bytes on every call.
 */
export type SourceInput = string | URL | Blob | Uint8Array | ArrayBuffer | ByteSource | OpenByteStream;

/** Options of {@link openSources}. */
export interface OpenSourcesOptions {
  /** Stores for URIs. A store takes precedence over built-in schemes, such as `http:` and `file:`. */
  readonly stores?: readonly ByteStore[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of inputs, or matches of one glob, that are opened at once. Opening one usually takes one request. */
const MAX_OPENS_AT_ONCE = 32;

/**
 * Opens inputs and returns their sources, in the given order. A glob becomes one source per match. Where possible, opening finds
 * an input's length and checks that the input exists. It reads no content. Temporary failures of http(s) servers are retried
 * with the defaults of {@link retrying}. Opening or reading fails if the server sends nothing for 60 s in each of two consecutive
 * attempts. Inputs without a name are named by their position: `bytes:0`, `blob:1`, `stream:2`. Errors of a store are passed on.
 *
 * A one-pass stream is not a source, because a source can be read repeatedly. See {@link bufferStream}.
 * @throws {SourceError} `not-found`, with reason `no-match` for a glob, or `io-failed`.
 * @throws {ArgumentError} `invalid-argument` (`no-input`, `directory`, `source-type`, `store-type`, `duplicate-scheme`).
 * @throws {UnsupportedError} `unsupported` (`url-scheme`, or `file-system` in browsers).
 */
export async function openSources(
  input: SourceInput | readonly SourceInput[],
  options: OpenSourcesOptions = {},
): Promise<readonly ByteSource[]> {
  assertOptions("openSources", options, { stores: null, signal: anAbortSignal });
  const { signal, stores = [] } = options;
  assertStores(stores);
  const inputs = Array.isArray(input) ? (input as readonly SourceInput[]) : [input as SourceInput];
  if (inputs.length === 0) {
    throw new ArgumentError("invalid-argument", "Expected at least one input, found none.", {
      argument: "input",
      reason: "no-input",
    });
  }
  signal?.throwIfAborted();
  const sources = await inParallel(inputs, MAX_OPENS_AT_ONCE, (one, index) =>
    openOne(one, index, { stores, signal }),
  );
  signal?.throwIfAborted();
  return sources.flat();
}

interface OpenContext {
  readonly stores: readonly ByteStore[];
  readonly signal: AbortSignal | undefined;
}

async function openOne(
  input: SourceInput,
  index: number,
  context: OpenContext,
): Promise<readonly ByteSource[]> {
  if (typeof input === "string") return openName(input, context);
  if (typeof input === "function") return [streamSource(input, `stream:${index}`)];
  switch (Object.prototype.toString.call(input)) {
    case "[object URL]":
      return openName((input as URL).href, context);
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
  const hint = isByteStream(input) ? " (a stream can be read only once: pass a function that opens it)" : "";
  const expected = `a path, glob, URL, Blob, Uint8Array, ArrayBuffer, ByteSource or function${hint}`;
  throw invalidArgument("input", expected, input, { at: `[${index}]`, reason: "source-type" });
}

async function openName(name: string, context: OpenContext): Promise<readonly ByteSource[]> {
  const { signal } = context;
  const store = storeOf(name, context.stores);
  if (store !== undefined) return openInStore(name, store, signal);
  const scheme = schemeOf(name);
  if (scheme === "http:" || scheme === "https:") {
    const open = (): Promise<ByteSource> => httpSource(name, { signal });
    return [retrying(await withRetries(open, DEFAULT_RETRIES, signal))];
  }
  if (scheme === "file:") return [await fileSource(new URL(name))];
  if (scheme !== null && name.startsWith("//", scheme.length)) {
    throw new UnsupportedError(
      `${name}: no store reads ${scheme} URIs. Pass a store for them in the option \`stores\`.`,
      {
        feature: `${scheme} URLs`,
        reason: "url-scheme",
      },
    );
  }
  return inParallel(await findFiles(name), MAX_OPENS_AT_ONCE, fileSource);
}

async function openInStore(
  name: string,
  store: ByteStore,
  signal: AbortSignal | undefined,
): Promise<readonly ByteSource[]> {
  const entries = isGlob(name) ? store.list?.(name, { signal }) : undefined;
  const uris = entries === undefined ? [name] : await matchesOf(name, entries, signal);
  return inParallel(uris, MAX_OPENS_AT_ONCE, async (uri) => {
    const source: unknown = await store.open(uri, { signal });
    if (isByteSource(source)) return source;
    const message = `The store for ${schemeOf(name)} URIs must open ${uri} as a ByteSource, found ${describeValue(source)}.`;
    throw new ArgumentError("invalid-argument", message, { argument: "stores", reason: "store-type" });
  });
}

/** Returns true if a URI is a glob. A question mark is a wildcard, except in an http(s) URL. */
function isGlob(uri: string): boolean {
  return (/^https?:/i.test(uri) ? /[*{}]|\[.*\]/ : /[*?{}]|\[.*\]/).test(uri);
}

async function matchesOf(
  pattern: string,
  entries: AsyncIterable<StoreEntry>,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const uris: string[] = [];
  for await (const entry of entries) {
    signal?.throwIfAborted();
    uris.push(entry.uri);
  }
  if (uris.length > 0) return uris.sort();
  throw new SourceError("not-found", `No object matches ${JSON.stringify(pattern)}.`, {
    uri: pattern,
    reason: "no-match",
  });
}
