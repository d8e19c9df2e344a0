import type { Format } from "@tfxio/format";
import { ColumnPath, decodeSchema } from "@tfxio/schema";
import { type ByteSource, blobSource, openSources, UnsupportedError } from "@tfxio/wire";
import { type Leased, sharedKernels } from "@tfxio/wire/kernels";
import type { RecordBatch } from "apache-arrow";
import { leasesOf, ownedAsLeases } from "../leases-of.js";
import type { ReadSplit } from "../read-splits.js";
import { standardFormats } from "../standard-formats.js";
import type { ReadDescription, SourceDescription } from "./protocol.js";

/** How splits are read here, and the way to free what their reader holds. */
export interface OpenedRead {
  /** Batches own their memory unless the read was described as leased. */
  readonly batches: ReadSplit<Leased<RecordBatch>>;
  close(): Promise<void>;
}

/** The plan that `description` was made of, anew on this thread. @throws what opening and planning throw. */
export async function openRead(format: Format, description: ReadDescription): Promise<OpenedRead> {
  const { options, limits, request, sources } = description;
  const reader = await format.open(sources.map(reopened), { options: options ?? {}, limits });
  const { columns, schema } = request;
  const plan = await reader.plan({
    ...request,
    columns: columns?.map((steps) => new ColumnPath(steps)),
    schema: schema && decodeSchema(schema),
    kernels: description.isLeased ? await sharedKernels() : undefined,
  });
  return {
    batches: description.isLeased ? leasesOf(plan) : ownedAsLeases(plan),
    close: () => reader.close(),
  };
}

/**
 * The format that was described, from its module or among the standard ones.
 * @throws {UnsupportedError} `unsupported` (`worker-format`) when the module cannot be imported here, or does not
 * export the format.
 */
export async function formatOf({ formatId, formatModule }: ReadDescription): Promise<Format> {
  const isFormat = (value: unknown): value is Format =>
    typeof value === "object" &&
    value !== null &&
    (value as Partial<Format>).id === formatId &&
    "open" in value;
  const candidates = formatModule === undefined ? standardFormats : await exportsOf(formatModule, formatId);
  const format = candidates.find(isFormat);
  if (format !== undefined) return format;
  throw new UnsupportedError(`${formatModule ?? "the worker"} exports no format called "${formatId}"`, {
    feature: "workers",
    reason: "worker-format",
  });
}

async function exportsOf(formatModule: string, formatId: string): Promise<readonly unknown[]> {
  try {
    const exported: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ formatModule);
    return Object.values(exported as object);
  } catch (cause) {
    throw new UnsupportedError(`${formatModule}, the module of ${formatId}, cannot be imported by a worker`, {
      feature: "workers",
      reason: "worker-format",
      cause,
    });
  }
}

/** Opened when first read: a worker reads a few of all the sources. */
function reopened({ uri, byteLength, origin }: SourceDescription): ByteSource {
  if (typeof origin !== "string") return blobSource(origin, uri);
  let opened: Promise<ByteSource> | undefined;
  const open = (): Promise<ByteSource> => {
    opened ??= openSources(origin).then(([source]) => source as ByteSource);
    return opened;
  };
  return {
    uri,
    byteLength,
    origin,
    slice: async (start, end) => (await open()).slice(start, end),
    async *stream(options) {
      yield* (await open()).stream(options);
    },
  };
}
