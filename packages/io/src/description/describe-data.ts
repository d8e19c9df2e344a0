import type { Format, Limits } from "@tfxio/format";
import { type ByteSource, type ByteStore, type Json, type StoreModule, UnsupportedError } from "@tfxio/wire";
import type { CallerData } from "../records/caller-data.js";
import type { DataRequest } from "../reading/data-request.js";
import { standardFormats } from "../standard-formats.js";
import { storeOf } from "./open-described.js";
import type { ReadDescription, SourceDescription } from "./read-description.js";
import { describeRequest } from "./request-json.js";

/** Sources that a format was opened with. */
export interface OpenedData {
  readonly format: Format;
  readonly sources: readonly ByteSource[];
  readonly options: object | undefined;
  readonly limits: Partial<Limits> | undefined;
  readonly stores: readonly ByteStore[];
  readonly representationGroup: string | undefined;
  /** Absent: data of `sources`. */
  readonly callerData?: CallerData | undefined;
}

/** A description, and what threads of one process need beside it: any of this survives a structured clone. */
export interface DescribedRead {
  readonly description: ReadDescription;
  /** The format's options, which need not be JSON. */
  readonly options: object | undefined;
  /** What `blob` of a source refers to. */
  readonly blobs: readonly Blob[];
}

/**
 * Describes reads of opened data to other threads.
 * @throws {UnsupportedError} `unsupported`: `worker-format` when the format has no `module`, `worker-source` when a source can
 * be read only by whoever opened it, `worker-options` when the format's options cannot be cloned.
 */
export function describeData(opened: OpenedData, request: DataRequest): DescribedRead {
  const { format, options, limits, representationGroup, callerData } = opened;
  if (callerData !== undefined) {
    throw notDescribable(`${callerData} of the caller exist only in this thread`, "worker-source");
  }
  const isStandard = standardFormats.includes(format);
  if (!isStandard && format.module === undefined) {
    throw notDescribable(
      `the format ${format.id} names no module that could be imported elsewhere`,
      "worker-format",
    );
  }
  assertCloneable(options, format.id);
  const blobs: Blob[] = [];
  const stores: StoreModule[] = [];
  return {
    description: {
      version: 1,
      format: { id: format.id, module: isStandard ? undefined : format.module, limits },
      sources: opened.sources.map((source) => describeSource(source, opened.stores, { blobs, stores })),
      stores,
      request: describeRequest(request),
      representationGroup,
    },
    options,
    blobs,
  };
}

/**
 * The same as JSON alone, for another process.
 * @throws {UnsupportedError} as {@link describeData}; `worker-source` also for Blobs and bytes, `worker-options` for options that
 * JSON cannot carry.
 */
export function describeAsJson(opened: OpenedData, request: DataRequest): ReadDescription {
  const { description, options, blobs } = describeData(opened, request);
  const inMemory = description.sources.find(({ blob }) => blob !== undefined);
  if (blobs.length > 0 && inMemory !== undefined) {
    throw notDescribable(`${inMemory.uri} is in the memory of this process`, "worker-source");
  }
  if (options !== undefined && !isJson(options)) {
    throw notDescribable(
      `the options of ${opened.format.id} hold values that JSON cannot carry`,
      "worker-options",
    );
  }
  // Members without a value would be gone after JSON: they are left out at once.
  return JSON.parse(
    JSON.stringify({ ...description, format: { ...description.format, options } }),
  ) as ReadDescription;
}

interface Attachments {
  readonly blobs: Blob[];
  readonly stores: StoreModule[];
}

function describeSource(
  { uri, origin, byteLength, version }: ByteSource,
  stores: readonly ByteStore[],
  attached: Attachments,
): SourceDescription {
  const facts = { uri, byteLength, version };
  const store = storeOf(uri, stores);
  if (store !== undefined) {
    const { worker } = store;
    if (worker === undefined) {
      throw notDescribable(
        `${uri} is in a store that names no module to build it elsewhere`,
        "worker-source",
      );
    }
    const known = attached.stores.findIndex((one) => JSON.stringify(one) === JSON.stringify(worker));
    return { ...facts, origin: uri, store: known >= 0 ? known : attached.stores.push(worker) - 1 };
  }
  if (origin === undefined) {
    throw notDescribable(
      `${uri} can be read only by whoever opened it; give a path, a URL without headers, a Blob or bytes`,
      "worker-source",
    );
  }
  if (typeof origin === "string") return { ...facts, origin };
  // Bytes are copied once, into memory that a Blob shares between threads. A File is cut to a Blob, whose clone keeps
  // its content in every runtime.
  let blob = blobOf.get(origin);
  if (blob === undefined) {
    blob = ArrayBuffer.isView(origin) ? new Blob([origin]) : origin.slice();
    blobOf.set(origin, blob);
  }
  return { uri, byteLength, blob: attached.blobs.push(blob) - 1 };
}

/** Made once for a source, however many passes are described. */
const blobOf = new WeakMap<object, Blob>();

function assertCloneable(options: object | undefined, formatId: string): void {
  try {
    structuredClone(options);
  } catch (cause) {
    throw notDescribable(
      `the options of ${formatId} cannot be sent to worker threads`,
      "worker-options",
      cause,
    );
  }
}

/** Deeper values are taken for rings. */
const MAX_DEPTH = 100;

function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return Array.from(value).every((item) => isJson(item, depth + 1));
  // Of a Map, a Date or bytes, JSON would make something else.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  // A member without a value is left out by JSON, and means the default.
  return Object.values(value).every((member) => member === undefined || isJson(member, depth + 1));
}

function notDescribable(problem: string, reason: string, cause?: unknown): UnsupportedError {
  return new UnsupportedError(`This read cannot be described: ${problem}.`, {
    feature: "reading elsewhere",
    reason,
    cause,
  });
}
