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

/** What `openTfxio` opens: sources that can be read again, or a stream that is read once. */
export type TfxioInput = SourceInput | readonly SourceInput[] | ByteStream;

/** With these options, rows have all columns of the schema, in list form. */
export interface AllColumns {
  readonly columns?: undefined;
  readonly columnForm?: "lists" | undefined;
}

/**
 * Opens training data as a {@link Tfxio}: one or many files, globs, URLs, Blobs or bytes of one format, URIs of `stores`, or
 * a stream of bytes. A stream can be read once; a function that returns one is called for each pass. Reads what finding the
 * format (and inferring a schema) takes, and nothing more.
 * @throws {ArgumentError} `invalid-argument`, `unknown-format`; {@link SourceError} `not-found`, `io-failed`;
 * {@link SchemaError} when schema and data, or `columns`, do not agree; {@link UnsupportedError} `unsupported` for what the
 * format cannot do; with `inferSchema` also what reading throws.
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
  // Finding the format reads what the first pass reads again: of a server, each read is a request.
  const looked = options.format === undefined && isRemote(first) ? rememberHead(first) : first;
  const sources = [looked, ...others];
  const format = await chooseFormat(looked, options);
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

/** True for a URI that is not of a local file. */
function isRemote({ uri }: ByteSource): boolean {
  return /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(uri);
}
