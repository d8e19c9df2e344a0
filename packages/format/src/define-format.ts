import { ArgumentError, assertByteSource, assertOptions, type ByteTarget } from "@tfxio/wire";
import { assertDefinition } from "./guard/check-definition.js";
import { resolveLimits } from "./guard/check-limits.js";
import type { Format, OpenOptions, Reader, WritableFormat, WriterOptions } from "./format.js";
import type { FormatSpec, OpenContext } from "./format-spec.js";
import { guardReader } from "./guard/guarded-reader.js";
import { guardWriter } from "./guard/guarded-writer.js";
import { overlayOptions } from "./guard/overlay-options.js";

const OPEN_KEYS = Object.keys({
  options: true,
  limits: true,
  signal: true,
} satisfies Record<keyof OpenOptions<object>, true>);
const WRITER_KEYS = Object.keys({
  arrowSchema: true,
  schema: true,
  options: true,
  signal: true,
} satisfies Record<keyof WriterOptions<object>, true>);

/**
 * Makes a format of its plain functions. What holds for all formats is done here, once: unknown options, undeclared
 * requests and bad values are refused, defaults filled in, cancelling and closing carried through to every read.
 * @throws {ArgumentError} `invalid-argument` (`format-definition`, `contract-version`).
 */
export function defineFormat<Options extends object>(
  spec: FormatSpec<Options> & Required<Pick<FormatSpec<Options>, "createWriter">>,
): WritableFormat<Options>;
export function defineFormat<Options extends object>(spec: FormatSpec<Options>): Format<Options>;
export function defineFormat<Options extends object>(spec: FormatSpec<Options>): Format<Options> {
  assertDefinition(spec);
  const { id, defaults, sniff, createWriter, columnForm = "stored" } = spec;
  const reads = Object.freeze({ ...spec.reads });
  const contextOf = (request: OpenOptions<Options>, owner: string): OpenContext<Options> => {
    assertOptions(request, OPEN_KEYS, owner);
    const { signal } = request;
    const options = overlayOptions(defaults, request.options, id);
    const limits = resolveLimits(request.limits);
    signal?.throwIfAborted();
    return { options, limits, signal };
  };
  return Object.freeze<Format<Options>>({
    contractVersion: spec.contractVersion,
    id,
    extensions: Object.freeze([...spec.extensions]),
    defaults: Object.freeze({ ...defaults }),
    columnForm,
    reads,
    module: spec.module,
    ...(sniff && { sniff }),
    async open(sources, request: OpenOptions<Options> = {}) {
      const context = contextOf(request, "open");
      if (!Array.isArray(sources) || sources.length === 0) {
        throw new ArgumentError("invalid-argument", `${id} opens a list of at least one source.`, {
          argument: "sources",
        });
      }
      for (const source of sources) assertByteSource(source);
      return guardReader(await spec.open(sources, context), { id, reads });
    },
    ...(spec.openStream && {
      async openStream(
        bytes: AsyncIterable<Uint8Array>,
        request: OpenOptions<Options> = {},
      ): Promise<Reader> {
        const context = contextOf(request, "openStream");
        assertStream(bytes);
        return guardReader(await spec.openStream!(bytes, context), { id, reads });
      },
    }),
    ...(createWriter && {
      async createWriter(target: ByteTarget, request: WriterOptions<Options>) {
        assertOptions(request, WRITER_KEYS, "createWriter");
        assertTarget(target);
        const { arrowSchema, schema, signal } = request;
        if (!Array.isArray(arrowSchema?.fields)) {
          throw new ArgumentError("invalid-argument", `createWriter needs the Arrow schema of the batches.`, {
            argument: "arrowSchema",
          });
        }
        const options = overlayOptions(defaults, request.options, id);
        signal?.throwIfAborted();
        return guardWriter(await createWriter(target, { arrowSchema, schema, options, signal }), request, id);
      },
    }),
  });
}

function assertStream(bytes: unknown): void {
  if (typeof (Object(bytes) as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function") return;
  throw new ArgumentError("invalid-argument", `expected an AsyncIterable of bytes, found ${String(bytes)}`, {
    argument: "bytes",
  });
}

function assertTarget(target: unknown): void {
  const { uri, write, commit, discard } = Object(target) as Partial<ByteTarget>;
  if (typeof uri === "string" && [write, commit, discard].every((member) => typeof member === "function"))
    return;
  throw new ArgumentError(
    "invalid-argument",
    `expected a ByteTarget, as openTarget makes them, found ${String(target)}`,
    { argument: "target" },
  );
}
