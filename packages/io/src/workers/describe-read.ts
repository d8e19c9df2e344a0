import type { Format, Limits, ReadRequest } from "@tfxio/format";
import { encodeSchema } from "@tfxio/schema";
import { type ByteSource, UnsupportedError } from "@tfxio/wire";
import { standardFormats } from "../standard-formats.js";
import type { ReadDescription, SourceDescription } from "./protocol.js";

/** What a format was opened with. */
export interface OpenedFormat {
  readonly format: Format;
  readonly sources: readonly ByteSource[];
  readonly options: object | undefined;
  readonly limits: Partial<Limits> | undefined;
}

/** Describes reads of an opened format to worker threads. @throws {UnsupportedError} as {@link createReadDescriber}. */
export type ReadDescriber = (request: ReadRequest, isLeased: boolean) => ReadDescription;

/**
 * The describer's own errors are `unsupported`: `worker-format` when the format has no `module`, `worker-source` when a
 * source can be read only here, `worker-options` when the format's options cannot be cloned, `shared-memory` when batches
 * shall be leased and threads cannot share memory.
 */
export function createReadDescriber(opened: OpenedFormat): ReadDescriber {
  let sources: readonly SourceDescription[] | undefined;
  return (request, isLeased) => {
    if (isLeased && typeof SharedArrayBuffer === "undefined") {
      throw new UnsupportedError(
        "leased batches of worker threads lie in shared memory, which this page has only when it is cross-origin isolated",
        { feature: "leased batches in workers", reason: "shared-memory" },
      );
    }
    const { format, options, limits } = opened;
    const isStandard = standardFormats.includes(format);
    if (!isStandard && format.module === undefined) {
      throw new UnsupportedError(`the format ${format.id} names no module that worker threads could import`, {
        feature: "workers",
        reason: "worker-format",
      });
    }
    assertCloneable(options, format.id);
    sources ??= opened.sources.map(describeSource);
    return {
      formatId: format.id,
      formatModule: isStandard ? undefined : format.module,
      sources,
      options,
      limits,
      isLeased,
      request: {
        batchSize: request.batchSize,
        rawRecordColumn: request.rawRecordColumn,
        unlisted: request.unlisted,
        columns: request.columns?.map(({ steps }) => steps),
        schema: request.schema && encodeSchema(request.schema),
      },
    };
  };
}

function describeSource({ uri, byteLength, origin }: ByteSource): SourceDescription {
  if (origin === undefined) {
    throw new UnsupportedError(
      `${uri} is a source that only the calling thread can read; give a path, a URL without headers, a Blob or bytes`,
      { feature: "workers", reason: "worker-source" },
    );
  }
  if (typeof origin === "string") return { uri, byteLength, origin };
  // Bytes are copied once, into memory that a Blob shares between threads. A File is cut to a Blob, whose clone keeps
  // its content in every runtime.
  const blob = ArrayBuffer.isView(origin) ? new Blob([origin]) : origin.slice();
  return { uri, byteLength, origin: blob };
}

function assertCloneable(options: object | undefined, formatId: string): void {
  try {
    structuredClone(options);
  } catch (cause) {
    throw new UnsupportedError(`the options of ${formatId} hold what cannot be sent to worker threads`, {
      feature: "workers",
      reason: "worker-options",
      cause,
    });
  }
}
