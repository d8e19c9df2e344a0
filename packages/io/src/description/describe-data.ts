import type { Format, Limits } from "@tfxio/format";
import { type ByteSource, type ByteStore, type Json, type StoreModule, UnsupportedError } from "@tfxio/wire";
import type { CallerData } from "../records/caller-data.js";
import type { DataRequest } from "../reading/data-request.js";
import { describableFormats } from "./describable-formats.js";
import { storeOf } from "./open-described.js";
import type { ReadDescription, SourceDescription } from "./read-description.js";
import { describeRequest } from "./request-json.js";

/** Opened sources, with the format and the options with which they were opened. */
export interface OpenedData {
  readonly format: Format;
  readonly sources: readonly ByteSource[];
  readonly options: object | undefined;
  readonly limits: Partial<Limits> | undefined;
  readonly stores: readonly ByteStore[];
  readonly representationGroup: string | undefined;
  /** Kind of data that the caller passes in. Absent if the data comes from `sources`. */
  readonly callerData?: CallerData | undefined;
  /**
   * The reason why only this thread can open the data, such as a decoder that cannot be described. Absent if no such reason is
   * known.
   */
  readonly onlyHere?: { readonly problem: string; readonly cause?: unknown } | undefined;
}

/** A description, plus values that only threads of one process can share. All members survive a structured clone. */
export interface DescribedRead {
  readonly description: ReadDescription;
  /** Options of the format. They may hold values that JSON cannot represent. */
  readonly options: object | undefined;
  /** Blobs of the sources; {@link SourceDescription.blob} is an index into this list. */
  readonly blobs: readonly Blob[];
}

/**
 * Describes a read of opened data so that other threads of this process can repeat it. Copies in-memory bytes into a Blob that
 * threads share; later calls reuse the Blob.
 * @throws {UnsupportedError} `unsupported`: `worker-format` if a custom format has no `module`, or {@link OpenedData.onlyHere} is
 *   present; `worker-source` if only this thread can read a source or the caller's data; `worker-options` if the format's options
 *   cannot be cloned.
 */
export function describeData(opened: OpenedData, request: DataRequest): DescribedRead {
  const { format, options, limits, representationGroup, callerData } = opened;
  if (callerData !== undefined) {
    const data = callerData === "datasets" ? "the dataset exists" : "the records exist";
    throw notDescribable(`${data} only in this thread`, "worker-source");
  }
  if (opened.onlyHere !== undefined) {
    throw notDescribable(opened.onlyHere.problem, "worker-format", opened.onlyHere.cause);
  }
  const isStandard = describableFormats.includes(format);
  if (!isStandard && format.module === undefined) {
    throw notDescribable(`the format ${format.id} has no module from which to import it`, "worker-format");
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
 * Like {@link describeData}, but as pure JSON, for another process.
 * @throws {UnsupportedError} as {@link describeData}. Also `worker-source` for Blobs and bytes, and `worker-options` for options
 *   that JSON cannot represent.
 */
export function describeAsJson(opened: OpenedData, request: DataRequest): ReadDescription {
  const { description, options, blobs } = describeData(opened, request);
  const inMemory = description.sources.find(({ blob }) => blob !== undefined);
  if (blobs.length > 0 && inMemory !== undefined) {
    throw notDescribable(
      `${inMemory.uri} exists only in the memory of this process`,
      "worker-source",
      undefined,
      "another process",
    );
  }
  if (options !== undefined && !isJson(options)) {
    throw notDescribable(
      `the options of ${opened.format.id} hold values that JSON cannot represent`,
      "worker-options",
      undefined,
      "another process",
    );
  }
  // Drop undefined members, as JSON does, so that a copy that is sent as JSON equals the result.
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
        `${uri} is in a store without a module from which another thread can create the store`,
        "worker-source",
      );
    }
    const known = attached.stores.findIndex((one) => JSON.stringify(one) === JSON.stringify(worker));
    return { ...facts, origin: uri, store: known >= 0 ? known : attached.stores.push(worker) - 1 };
  }
  if (origin === undefined) {
    throw notDescribable(
      `${uri} can be read only in the program that opened it; pass a path, a URL without headers, a Blob or bytes`,
      "worker-source",
    );
  }
  if (typeof origin === "string") return { ...facts, origin };
  // Bytes are copied once, into a Blob, because threads share the memory of a Blob. A File becomes a plain Blob, because not
  // every runtime keeps the content of a File in a clone.
  let blob = blobOf.get(origin);
  if (blob === undefined) {
    blob = ArrayBuffer.isView(origin) ? new Blob([origin]) : origin.slice();
    blobOf.set(origin, blob);
  }
  return { uri, byteLength, blob: attached.blobs.push(blob) - 1 };
}

/** Blob of each in-memory source, created once and reused by all passes. */
const blobOf = new WeakMap<object, Blob>();

function assertCloneable(options: object | undefined, formatId: string): void {
  try {
    structuredClone(options);
  } catch (cause) {
    throw notDescribable(
      `the options of ${formatId} hold a value that cannot be cloned, such as a function`,
      "worker-options",
      cause,
    );
  }
}

/** Maximum nesting depth of options. Deeper values are treated as cyclic. */
const MAX_DEPTH = 100;

function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return Array.from(value).every((item) => isJson(item, depth + 1));
  // JSON would change a Map, a Date or bytes, so accept only plain objects.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  // JSON drops undefined members. That is harmless, because an undefined option and an absent one have the same default.
  return Object.values(value).every((member) => member === undefined || isJson(member, depth + 1));
}

function notDescribable(
  problem: string,
  reason: string,
  cause?: unknown,
  place = "another thread or process",
): UnsupportedError {
  return new UnsupportedError(`This read cannot be repeated in ${place}: ${problem}.`, {
    feature: "reading elsewhere",
    reason,
    cause,
  });
}
