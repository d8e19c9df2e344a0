import type { Format, Reader } from "@tfxio/format";
import {
  ArgumentError,
  type ByteSource,
  type ByteStore,
  blobSource,
  openSources,
  type SliceOptions,
  SourceError,
  type StreamOptions,
  UnsupportedError,
  untilAborted,
} from "@tfxio/wire";
import type { ReadDescription, SourceDescription } from "./read-description.js";

/** The opened data of a description. */
export interface DescribedData {
  readonly format: Format;
  readonly reader: Reader;
  readonly sources: readonly ByteSource[];
  readonly stores: readonly ByteStore[];
}

/** Resources of the process that opens the description. */
export interface OpenDescribedOptions {
  /** Formats that are already loaded. A format that is not in this list is imported from its module. */
  readonly formats: readonly Format[];
  /** Stores that already exist. A store for any other scheme is created by its module. */
  readonly stores?: readonly ByteStore[] | undefined;
  /** Blobs that {@link SourceDescription.blob} indexes. Default: none. */
  readonly blobs?: readonly Blob[] | undefined;
  /** Options of the format. Default: the options in the description. */
  readonly options?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the format, stores and reader of a description. Each source is opened when it is first read, because a worker usually
 * reads only some sources.
 * @throws {UnsupportedError} `unsupported` (`worker-format`, `worker-source`) when a module cannot be imported or
 * lacks the expected export. Errors of the format are thrown unchanged.
 */
export async function openDescribed(
  description: ReadDescription,
  options: OpenDescribedOptions,
): Promise<DescribedData> {
  const { signal, blobs = [] } = options;
  const format = await describedFormat(description, options.formats);
  const stores = await describedStores(description, options.stores ?? []);
  const sources = description.sources.map((source) => lazySource(source, stores, blobs));
  const { limits } = description.format;
  const formatOptions = options.options ?? (description.format.options as object | undefined) ?? {};
  const reader = await format.open(sources, { options: formatOptions, limits, signal });
  return { format, reader, sources, stores };
}

/** Maps former ids of standard formats to their current ids, for descriptions by older versions of this package. */
const FORMER_IDS: Readonly<Record<string, string>> = {
  "tfrecord-example": "tfrecord",
  "tfrecord-sequence-example": "sequence-tfrecord",
};

/**
 * Returns the described format, either from `formats` or imported from its module.
 * @throws {UnsupportedError} `unsupported` (`worker-format`).
 */
export async function describedFormat(
  { format: { id, module } }: ReadDescription,
  formats: readonly Format[],
): Promise<Format> {
  const named = (name: string | undefined): Format | undefined =>
    formats.find((format) => format.id === name);
  const known = named(id) ?? (module === undefined ? named(FORMER_IDS[id]) : undefined);
  if (known !== undefined) return known;
  const exported = module === undefined ? [] : Object.values(await imported(module, id, "worker-format"));
  const format = exported.find(
    (value): value is Format =>
      typeof value === "object" && value !== null && (value as Partial<Format>).id === id && "open" in value,
  );
  if (format !== undefined) return format;
  throw unavailable(`no format called "${id}" was found in ${module ?? "this program"}`, "worker-format");
}

/** Returns the stores in `own`, plus newly created stores for sources whose scheme no store in `own` supports. */
async function describedStores(
  { stores, sources }: ReadDescription,
  own: readonly ByteStore[],
): Promise<readonly ByteStore[]> {
  const wanted = new Set(
    sources.filter(({ uri }) => storeOf(uri, own) === undefined).map(({ store }) => store),
  );
  const built = await Promise.all(
    stores
      .filter((_, index) => wanted.has(index))
      .map(async ({ module, config }) => {
        const { createStore } = await imported(module, "a store", "worker-source");
        if (typeof createStore !== "function") {
          throw unavailable(`${module} exports no function createStore`, "worker-source");
        }
        return (await createStore(config)) as ByteStore;
      }),
  );
  return [...own, ...built];
}

/** Returns the first store that supports the scheme of `uri`. Returns undefined if there is none, and for plain paths. */
export function storeOf(uri: string, stores: readonly ByteStore[]): ByteStore | undefined {
  const scheme = /^[a-z][a-z0-9+.-]+:/i.exec(uri)?.[0].toLowerCase();
  return scheme === undefined ? undefined : stores.find(({ schemes }) => schemes.includes(scheme));
}

/**
 * Imports a module that a description names, and returns its exports.
 * @param what What the module provides, for the error message.
 * @throws {UnsupportedError} `unsupported` with `reason` if the import fails.
 */
export async function imported(
  module: string,
  what: string,
  reason: string,
): Promise<Record<string, unknown>> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ module)) as Record<string, unknown>;
  } catch (cause) {
    throw unavailable(`${module}, the module of ${what}, cannot be imported`, reason, cause);
  }
}

function lazySource(
  { uri, byteLength, origin, blob, version }: SourceDescription,
  stores: readonly ByteStore[],
  blobs: readonly Blob[],
): ByteSource {
  if (blob !== undefined) {
    const content = blobs[blob];
    if (content !== undefined) return blobSource(content, uri);
    throw new ArgumentError("invalid-argument", `blobs[${blob}] must be the Blob of ${uri}, found none.`, {
      argument: "blobs",
    });
  }
  let opened: Promise<ByteSource> | undefined;
  let handsOverSlices: boolean | undefined;
  // All reads of the source share one opening. Aborting a read ends only that read's wait.
  const open = (): Promise<ByteSource> => {
    opened ??= openSources(origin ?? uri, { stores }).then(([source]) => {
      assertVersion(source as ByteSource, version);
      ({ handsOverSlices } = source as ByteSource);
      return source as ByteSource;
    });
    return opened;
  };
  return {
    uri,
    byteLength,
    version,
    origin,
    // Known as soon as the source is open, and therefore before the first slice is returned.
    get handsOverSlices() {
      return handsOverSlices;
    },
    slice: async (start, end, options) =>
      (await untilAborted(open(), options?.signal)).slice(start, end, options),
    slices: async (ranges, options?: SliceOptions) => {
      const source = await untilAborted(open(), options?.signal);
      return (
        source.slices?.(ranges, options) ??
        Promise.all(ranges.map(({ start, end }) => source.slice(start, end, options)))
      );
    },
    async *stream(options?: StreamOptions) {
      yield* (await untilAborted(open(), options?.signal)).stream(options);
    },
  };
}

/**
 * Checks that a source still has the described version.
 * @throws {SourceError} `io-failed` (`source-changed`).
 */
function assertVersion({ uri, version: found }: ByteSource, expected: string | undefined): void {
  if (expected === undefined || found === expected) return;
  throw new SourceError(
    "io-failed",
    `${uri} has changed since the read was described: its version is ${found ?? "unknown"}, expected ${expected}.`,
    { uri, reason: "source-changed" },
  );
}

/** Returns the error for a described read that this process cannot open. */
export function unavailable(problem: string, reason: string, cause?: unknown): UnsupportedError {
  return new UnsupportedError(`The described read cannot be opened here: ${problem}.`, {
    feature: "reading elsewhere",
    reason,
    cause,
  });
}
