import { loadOwnBatch } from "#own-batch";
import { assertByteSource, type ByteTarget } from "@tfxio/wire";
import {
  anAbortSignal,
  assertArgument,
  assertOptions,
  membersOf,
  type OptionRules,
  rule,
} from "@tfxio/wire/checks";
import { assertDefinition } from "./guard/check-definition.js";
import type { Format, OpenOptions, Reader, WritableFormat, WriterOptions } from "./format.js";
import type { FormatSpec, OpenContext } from "./format-spec.js";
import { guardReader } from "./guard/guarded-reader.js";
import { guardWriter } from "./guard/guarded-writer.js";
import { overlayLimits, overlayOptions } from "./guard/overlay-options.js";

// These rules do not check the values of the members that are null here. The code below checks them, except for `schema`.
const OPEN_RULES: OptionRules<OpenOptions<object>> = { options: null, limits: null, signal: anAbortSignal };
const WRITER_RULES: OptionRules<WriterOptions<object>> = {
  arrowSchema: null,
  schema: null,
  options: null,
  signal: anAbortSignal,
};

const someSources = rule(
  "a list of at least one source",
  (value) => Array.isArray(value) && value.length > 0,
);
const aByteStream = rule("an AsyncIterable of bytes", (value) => {
  return typeof (Object(value) as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function";
});
const anArrowSchema = rule("an Arrow Schema", (value) => {
  return Array.isArray(membersOf(value)["fields"]);
});
const aByteTarget = rule("a ByteTarget, as returned by openTarget", (value) => {
  const { uri, write, commit, discard } = membersOf(value);
  return typeof uri === "string" && [write, commit, discard].every((member) => typeof member === "function");
});

/**
 * Creates a format from plain functions. The created format enforces the rules common to all formats: it throws for unknown
 * options, undeclared requests and invalid values, and fills in defaults. It also ends every read that is cancelled or whose
 * reader is closed.
 * @throws {ArgumentError} `invalid-argument` (`format-definition`) for an invalid member, or `invalid-argument`
 *   (`contract-version`) for an unsupported version of the contract.
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
    assertOptions(owner, request, OPEN_RULES);
    const { signal } = request;
    const options = overlayOptions(defaults, request.options, id);
    const limits = overlayLimits(request.limits);
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
      assertArgument("sources", sources, someSources, id);
      for (const source of sources) assertByteSource(source);
      return guardReader(await spec.open(sources, context), { id, reads });
    },
    ...(spec.openStream && {
      async openStream(
        bytes: AsyncIterable<Uint8Array>,
        request: OpenOptions<Options> = {},
      ): Promise<Reader> {
        const context = contextOf(request, "openStream");
        assertArgument("bytes", bytes, aByteStream, id);
        return guardReader(await spec.openStream!(bytes, context), { id, reads });
      },
    }),
    ...(createWriter && {
      async createWriter(target: ByteTarget, request: WriterOptions<Options>) {
        assertOptions("createWriter", request, WRITER_RULES);
        assertArgument("target", target, aByteTarget, id);
        const { schema, signal } = request;
        assertArgument("arrowSchema", request.arrowSchema, anArrowSchema, id);
        const options = overlayOptions(defaults, request.options, id);
        signal?.throwIfAborted();
        const { asOwnBatch, asOwnSchema } = await loadOwnBatch();
        const arrowSchema = asOwnSchema(request.arrowSchema);
        const writer = await createWriter(target, { arrowSchema, schema, options, signal });
        return guardWriter(writer, { arrowSchema, asOwnBatch, signal }, id);
      },
    }),
  });
}
