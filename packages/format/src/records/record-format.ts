import { ArgumentError, bufferStream, type ByteTarget } from "@tfxio/wire";
import { aFunction, aName, aString, assertArgument, assertOptions, oneOf } from "@tfxio/wire/checks";
import { defineFormat } from "../define-format.js";
import type { Format, WritableFormat } from "../format.js";
import type { BatchWriter, FormatSpec, WriterContext } from "../format-spec.js";
import type { ColumnForm } from "../read-request.js";
import { aContainer, aPayload } from "./part-rules.js";
import { onePassSource } from "./one-pass-source.js";
import type { OptionsUse, PayloadDecoder, RecordContainer } from "./record-format-parts.js";
import { createRecordReader } from "./record-reader.js";

/** Options of {@link recordFormat}. They are the members of the composed format that neither container nor payload defines. */
export interface RecordFormatOptions<Options extends object> {
  /** Id of the format. Default: the container's id, a hyphen, and the payload's id. */
  readonly id?: string | undefined;
  /** See {@link Format.module}. */
  readonly module?: string | undefined;
  /** Form of the payload's batches. Default `"stored"`. */
  readonly columnForm?: ColumnForm | undefined;
  /** See {@link FormatSpec.createWriter}. Called after container and payload have checked the options. */
  readonly createWriter?: FormatSpec<Options>["createWriter"] | undefined;
}

/**
 * Composes a format from the framing `container` and the encoding `payload`. The format has the options of both. Each source is
 * one split, which a container with `cuts` can divide. The format supports shuffled reads (it shuffles records before decoding),
 * row positions (the byte offset of a record's frame), `batchBytes`, and streams.
 * @throws {ArgumentError} `invalid-argument` for an invalid container or payload. `invalid-argument` (`format-definition`) if
 *   container and payload have an option of the same name.
 */
export function recordFormat<ContainerOptions extends object, PayloadOptions extends object>(
  container: RecordContainer<ContainerOptions>,
  payload: PayloadDecoder<PayloadOptions>,
  recordOptions: RecordFormatOptions<ContainerOptions & PayloadOptions> &
    Required<Pick<FormatSpec<ContainerOptions & PayloadOptions>, "createWriter">>,
): WritableFormat<ContainerOptions & PayloadOptions>;
export function recordFormat<ContainerOptions extends object, PayloadOptions extends object>(
  container: RecordContainer<ContainerOptions>,
  payload: PayloadDecoder<PayloadOptions>,
  recordOptions?: RecordFormatOptions<ContainerOptions & PayloadOptions>,
): Format<ContainerOptions & PayloadOptions>;
export function recordFormat<ContainerOptions extends object, PayloadOptions extends object>(
  container: RecordContainer<ContainerOptions>,
  payload: PayloadDecoder<PayloadOptions>,
  recordOptions: RecordFormatOptions<ContainerOptions & PayloadOptions> = {},
): Format<ContainerOptions & PayloadOptions> {
  type Options = ContainerOptions & PayloadOptions;
  assertArgument("container", container, aContainer, "recordFormat");
  assertArgument("payload", payload, aPayload, "recordFormat");
  assertOptions("recordFormat", recordOptions, {
    id: aName,
    module: aString,
    columnForm: oneOf("stored", "lists"),
    createWriter: aFunction,
  });
  const { id = `${container.id}-${payload.id}`, module, columnForm, createWriter } = recordOptions;
  assertDistinctOptions(id, container.defaults, payload.defaults);
  const { sniff } = container;
  const assertPartOptions = (options: Options, use: OptionsUse): void => {
    container.assertOptions?.(optionsOf(container, options), use);
    payload.assertOptions?.(optionsOf(payload, options), use);
  };
  const open: FormatSpec<Options>["open"] = async (sources, context) => {
    assertPartOptions(context.options, "read");
    return createRecordReader<ContainerOptions, PayloadOptions>({ container, payload, sources, context });
  };
  return defineFormat<Options>({
    id,
    extensions: container.extensions,
    defaults: { ...container.defaults, ...payload.defaults },
    contractVersion: 2,
    columnForm,
    reads: {
      rawRecordColumn: payload.reads?.rawRecordColumn,
      rowPositionColumn: true,
      shuffle: true,
      batchBytes: true,
      subdivide: container.cuts && true,
      randomAccess: container.index && "rows",
    },
    module,
    ...(sniff && { sniff }),
    open,
    async openStream(bytes, context) {
      const stream = bufferStream(bytes);
      return { ...(await open([onePassSource(stream)], context)), close: () => stream.close() };
    },
    ...(createWriter && {
      createWriter: async (target: ByteTarget, context: WriterContext<Options>): Promise<BatchWriter> => {
        assertPartOptions(context.options, "write");
        return createWriter(target, context);
      },
    }),
  });
}

/** Returns the options in `all` that belong to one part, a container or a payload: those named in its `defaults`. */
function optionsOf<Options extends object>(
  { defaults }: { readonly defaults: Options },
  all: Options,
): Options {
  const names = Object.keys(defaults) as (keyof Options)[];
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Options;
}

/** Checks that container and payload have no option of the same name, because their options are merged into one object. */
function assertDistinctOptions(id: string, container: object, payload: object): void {
  const shared = Object.keys(container).find((key) => Object.hasOwn(payload, key));
  if (shared === undefined) return;
  throw new ArgumentError(
    "invalid-argument",
    `${id}: container and payload must have distinct options, found "${shared}" in both.`,
    { reason: "format-definition", argument: shared },
  );
}
