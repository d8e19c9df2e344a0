import type { PlainRowOf } from "@tfxio/arrow-encoding";
import type { Schema } from "@tfxio/schema";
import type { HostColumns } from "@tfxio/tensor-adapter";
import {
  type ByteSource,
  type ByteStream,
  isByteStream,
  openSources,
  rememberHead,
  type SourceInput,
} from "@tfxio/wire";
import { assertOpenOptions } from "./open-rules.js";
import { chooseFormat } from "./choose-format.js";
import type { TfxioOptions } from "./open-options.js";
import { requestOf } from "./open-request.js";
import { openStream } from "./open-stream.js";
import { tfxioOf } from "./tfxio-of.js";
import type { Tfxio } from "./tfxio.js";

/** Input of `openTfxio`: sources that can be read repeatedly, or one stream, which can be read only once. */
export type TfxioInput = SourceInput | readonly SourceInput[] | ByteStream;

/** Options that keep all columns of the schema, in list form. The schema then determines the type of a row. */
export interface AllColumns {
  readonly columns?: undefined;
  readonly columnForm?: "lists" | undefined;
}

/**
 * Opens training data as a {@link Tfxio}. The input is one or more sources of the same format: paths, globs, URLs, URIs of
 * `stores`, Blobs, bytes, ByteSources, or functions that return a stream of bytes. Such a function is called for each pass. The
 * input can also be a single stream, which can be read only once. Opening reads only what is needed to detect the format, to find
 * the declared columns, and to infer a schema.
 * @throws {ArgumentError} `invalid-argument`, `unknown-format`.
 * @throws {SourceError} `not-found`, `io-failed`.
 * @throws {SchemaError} when the schema does not match the data or `columns`.
 * @throws {UnsupportedError} `unsupported` for a request that the format does not support. With `inferSchema`, also throws
 *   whatever reading throws.
 * @see RFC 162, "TFXIO"
 */
export async function openTfxio<Columns extends HostColumns = HostColumns, AnySchema extends Schema = Schema>(
  input: TfxioInput,
  options?: TfxioOptions<Columns, AnySchema> & AllColumns,
): Promise<Tfxio<Columns, PlainRowOf<AnySchema>>>;
export async function openTfxio<Columns extends HostColumns = HostColumns>(
  input: TfxioInput,
  options?: TfxioOptions<Columns>,
): Promise<Tfxio<Columns>>;
export async function openTfxio<Columns extends HostColumns>(
  input: TfxioInput,
  options: TfxioOptions<Columns> = {},
): Promise<Tfxio<Columns>> {
  assertOpenOptions(options);
  const request = requestOf(options);
  const { signal, stores = [], limits, formatOptions } = options;
  if (isByteStream(input)) return openStream(input, options, request);
  const opened = await openSources(input as SourceInput | readonly SourceInput[], { signal, stores });
  const [first, ...others] = opened as readonly [ByteSource, ...ByteSource[]];
  // Detection and the first pass read the same first bytes. Keep those bytes, because every read from a server costs a request.
  const looked = options.format === undefined && isRemote(first) ? rememberHead(first) : first;
  const sources = [looked, ...others];
  const format = await chooseFormat(sources, options);
  const reader = await format.open(sources, { options: formatOptions ?? {}, limits, signal });
  const data = {
    format,
    sources,
    options: formatOptions,
    limits,
    stores,
    representationGroup: options.representationGroup,
  };
  return tfxioOf({ opened: data, reader }, request, options);
}

/** Returns true for a URI that starts with `scheme://`, except `file://`. */
function isRemote({ uri }: ByteSource): boolean {
  return /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(uri);
}
