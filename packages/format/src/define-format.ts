import { ArgumentError, assertByteSource, assertOptions } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { resolveLimits } from "./check-request.js";
import {
  CONTRACT_VERSION,
  type Format,
  type FormatSpec,
  type OpenOptions,
  type WriteOptions,
} from "./format.js";
import { guardReader } from "./guarded-reader.js";
import { overlayOptions } from "./overlay-options.js";

/**
 * Makes a format of its plain functions. What holds for all formats is done here, once: unknown options and
 * requests are refused, defaults filled in, cancelling and closing carried through to every read.
 * @throws {ArgumentError} `invalid-argument` (`format-definition`, `contract-version`).
 */
export function defineFormat<Options extends object>(spec: FormatSpec<Options>): Format<Options> {
  assertDefinition(spec);
  const { id, defaults, sniff, write } = spec;
  return Object.freeze<Format<Options>>({
    contractVersion: CONTRACT_VERSION,
    id,
    extensions: Object.freeze([...spec.extensions]),
    defaults: Object.freeze({ ...defaults }),
    module: spec.module,
    ...(sniff && { sniff }),
    async open(sources, request: OpenOptions<Options> = {}) {
      assertOptions(request, ["options", "limits", "signal"], "open");
      if (!Array.isArray(sources) || sources.length === 0) {
        throw new ArgumentError("invalid-argument", `${id} opens a list of at least one source`, {
          argument: "sources",
        });
      }
      for (const source of sources) assertByteSource(source);
      const { signal } = request;
      const options = overlayOptions(defaults, request.options, id);
      const limits = resolveLimits(request.limits);
      signal?.throwIfAborted();
      return guardReader(await spec.open(sources, { options, limits, signal }), id);
    },
    ...(write && {
      write: async (
        batches: AsyncIterable<RecordBatch>,
        target: string,
        request: WriteOptions<Options> = {},
      ) => {
        assertOptions(request, ["options", "schema", "signal"], "write");
        assertIterable(batches);
        const options = overlayOptions(defaults, request.options, id);
        request.signal?.throwIfAborted();
        return write(batches, target, { options, schema: request.schema, signal: request.signal });
      },
    }),
  });
}

function assertIterable(batches: unknown): void {
  const { [Symbol.asyncIterator]: each, [Symbol.iterator]: all } = Object(batches) as Partial<
    AsyncIterable<unknown> & Iterable<unknown>
  >;
  if (typeof each === "function" || (typeof all === "function" && typeof batches !== "string")) return;
  throw new ArgumentError(
    "invalid-argument",
    `batches is an iterable of RecordBatches, found ${String(batches)}`,
    { argument: "batches" },
  );
}

/**
 * @throws {ArgumentError} `invalid-argument` (`format-definition`) when `format` is none, (`contract-version`) when it
 * follows another version of the contract.
 */
export function assertFormat(format: unknown): asserts format is Format {
  const { id, contractVersion, extensions, open } = Object(format) as Partial<Format>;
  if (typeof id !== "string" || !Array.isArray(extensions) || typeof open !== "function") {
    throw badDefinition("format", `a format, as defineFormat makes them, is needed; found ${String(format)}`);
  }
  if (contractVersion === CONTRACT_VERSION) return;
  throw new ArgumentError(
    "invalid-argument",
    `${id} follows version ${contractVersion} of the format contract; this is ${CONTRACT_VERSION}`,
    { reason: "contract-version", argument: "format" },
  );
}

function assertDefinition(spec: FormatSpec<object>): void {
  if (typeof spec !== "object" || spec === null) {
    throw badDefinition("spec", `a format is defined by an object, found ${String(spec)}`);
  }
  const { id, extensions, contractVersion = CONTRACT_VERSION } = spec;
  if (typeof id !== "string" || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    throw badDefinition("id", `a format's id is a kebab-case name such as "my-format", found "${id}"`);
  }
  if (contractVersion !== CONTRACT_VERSION) {
    throw new ArgumentError(
      "invalid-argument",
      `${id} was written for version ${contractVersion} of the format contract; this is ${CONTRACT_VERSION}`,
      { reason: "contract-version", argument: "contractVersion" },
    );
  }
  if (!Array.isArray(extensions)) throw badDefinition("extensions", `${id}: extensions is a list`);
  for (const extension of extensions) {
    if (typeof extension !== "string" || !/^(\.[a-z0-9_-]+)+$/.test(extension)) {
      throw badDefinition(
        "extensions",
        `${id}: an extension is lower case and begins with its dot, such as ".csv", found "${extension}"`,
      );
    }
  }
  if (new Set(extensions).size !== extensions.length) {
    throw badDefinition("extensions", `${id}: an extension is listed twice in ${extensions.join(", ")}`);
  }
  if (typeof spec.defaults !== "object" || spec.defaults === null) {
    throw badDefinition("defaults", `${id}: defaults is an object that has a key for every option`);
  }
  if (typeof spec.open !== "function") throw badDefinition("open", `${id}: open is a function`);
  for (const name of ["sniff", "write"] as const) {
    if (spec[name] !== undefined && typeof spec[name] !== "function") {
      throw badDefinition(name, `${id}: ${name} is a function, if it is there`);
    }
  }
}

function badDefinition(argument: string, message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason: "format-definition", argument });
}
