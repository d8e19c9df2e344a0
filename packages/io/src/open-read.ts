import { createFormatRegistry, type FormatRegistry } from "@tfxio/format";
import type { AdapterFactory, HostColumns } from "@tfxio/tensor-adapter";
import { type ByteStore } from "@tfxio/wire";
import { assertDescription } from "./description/check-description.js";
import { openDescribed } from "./description/open-described.js";
import type { ReadDescription } from "./description/read-description.js";
import { requestOf } from "./description/request-json.js";
import { describableFormats } from "./description/describable-formats.js";
import { tfxioOf } from "./tfxio-of.js";
import type { Tfxio } from "./tfxio.js";
import { assertOptions } from "@tfxio/wire/checks";
import { OPEN_RULES } from "./open-rules.js";

/** Options of {@link openRead}. */
export interface OpenReadOptions<Columns extends HostColumns = HostColumns> {
  /**
   * Formats to try first, such as custom ones. The standard formats are tried next, then the module that the description names.
   * Default: none.
   */
  readonly formats?: FormatRegistry | undefined;
  /**
   * Stores to use first, with this process's credentials. A store for any other scheme is built by the module that the
   * description names. Default: none.
   */
  readonly stores?: readonly ByteStore[] | undefined;
  /** See {@link TfxioOptions.adapter}. */
  readonly adapter?: AdapterFactory<Columns> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the TFXIO that `describeRead` described, usually in another process. Opening may import modules that the description
 * names, so open only descriptions that you trust. If the version of a source has changed, reading it fails with `io-failed`
 * (`source-changed`), during opening or later.
 * @throws {ArgumentError} `invalid-argument` if the description or an option is invalid.
 * @throws {SourceError} `io-failed` (`source-changed`) if opening reads a source whose version has changed.
 * @throws {UnsupportedError} `unsupported` (`worker-format`, `worker-source`) when a module cannot be imported or lacks the
 *   expected export. Also throws the errors of `openTfxio`, except those of detecting a format or inferring a schema.
 */
export async function openRead<Columns extends HostColumns = HostColumns>(
  description: ReadDescription,
  options: OpenReadOptions<Columns> = {},
): Promise<Tfxio<Columns>> {
  const { formats: aRegistry, adapter: aFactory, signal: aSignal } = OPEN_RULES;
  assertOptions("openRead", options, {
    formats: aRegistry,
    stores: null,
    adapter: aFactory,
    signal: aSignal,
  });
  assertDescription(description);
  const request = requestOf(description.request);
  const { formats = createFormatRegistry(), stores = [], adapter, signal } = options;
  const {
    format,
    reader,
    sources,
    stores: allStores,
  } = await openDescribed(description, {
    formats: [...formats.formats, ...describableFormats],
    stores,
    signal,
  });
  const { limits, options: formatOptions } = description.format;
  const opened = {
    format,
    sources,
    options: formatOptions as object | undefined,
    limits,
    stores: allStores,
    representationGroup: description.representationGroup,
  };
  return tfxioOf({ opened, reader }, request, { adapter, signal });
}
