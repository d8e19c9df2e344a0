import { openTfxio, recordToTensorTfxio, type Tfxio, type TfxioOptions } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import type { DecoderConfig } from "@tfxio/struct2tensor";
import { isObject, unusableArgument } from "@tfxio/wire/checks";

/** The read that a pipeline in another language requests, as JSON. Members without a comment mean the same as in `openTfxio`. */
export interface ReadConfiguration {
  /** Paths, globs or URLs, as seen from the expansion service and the workers. */
  readonly sources: string | readonly string[];
  readonly format?: string | undefined;
  readonly formatOptions?: Readonly<Record<string, unknown>> | undefined;
  /** A TFMD schema in text format. */
  readonly schema?: string | undefined;
  readonly inferSchema?: TfxioOptions["inferSchema"];
  readonly columns?: readonly string[] | undefined;
  readonly filter?: string | undefined;
  /**
   * A saved query of `@tfxio/struct2tensor`. Each key is the path of a file in the query's folder, and each value is that file in
   * base64. The query decodes the records of TFRecord files. It replaces `format`, `formatOptions`, `schema` and `inferSchema`.
   * `columns` then selects outputs of the query.
   */
  readonly dataView?: DecoderConfig | undefined;
  /** Target size of a unit of work, in stored bytes. Default 64 MiB. See `planUnits`. */
  readonly unitBytes?: number | undefined;
}

const MEMBERS = {
  sources: true,
  format: true,
  formatOptions: true,
  schema: true,
  inferSchema: true,
  columns: true,
  filter: true,
  dataView: true,
  unitBytes: true,
} satisfies Record<keyof ReadConfiguration, true>;

/** Members that `dataView` replaces. */
const REPLACED_BY_DATA_VIEW = ["format", "formatOptions", "schema", "inferSchema"] as const;

/**
 * Parses the payload of a transform. Checks only the names of its members. Their values are checked when they are used.
 * @throws {ArgumentError} `invalid-argument` for bytes that are not JSON, and for an unknown or missing member.
 */
export function parseConfiguration(payload: Uint8Array): ReadConfiguration {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch (cause) {
    throw unusableArgument("payload", `must be JSON in UTF-8: ${String(cause)}`);
  }
  if (!isObject(value) || !("sources" in value)) {
    throw unusableArgument("payload", 'must be a JSON object with the member "sources"');
  }
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(MEMBERS, key));
  if (unknown !== undefined) {
    throw unusableArgument(
      "payload",
      `has an unknown member "${unknown}", but may only have ${Object.keys(MEMBERS).join(", ")}`,
    );
  }
  return value as unknown as ReadConfiguration;
}

/**
 * Opens the configured data. The caller must close it.
 * @throws {ArgumentError} `invalid-argument` for a member that a saved query replaces. Also throws the errors of
 *   `openTfxio`, `parseSchemaText`, `dataViewDecoder` and `recordToTensorTfxio`.
 */
export async function openConfigured({
  unitBytes: _unitBytes,
  dataView,
  ...configuration
}: ReadConfiguration): Promise<Tfxio> {
  if (dataView !== undefined) return openByDataView(configuration, dataView);
  const { sources, schema, ...options } = configuration;
  return openTfxio(sources, {
    ...options,
    ...(schema === undefined ? {} : { schema: parseSchemaText(schema) }),
  });
}

async function openByDataView(configuration: ReadConfiguration, dataView: DecoderConfig): Promise<Tfxio> {
  const superfluous = REPLACED_BY_DATA_VIEW.find((member) => configuration[member] !== undefined);
  if (superfluous !== undefined) {
    throw unusableArgument(
      "payload",
      `must not have both "${superfluous}" and "dataView", which replaces it`,
    );
  }
  const { sources, filter, columns } = configuration;
  // Imported on demand, because most services never use a saved query.
  const { dataViewDecoder } = await import("@tfxio/struct2tensor");
  const tfxio = await recordToTensorTfxio({
    sources,
    filter,
    decoder: await dataViewDecoder.createDecoder(dataView),
  });
  return columns === undefined ? tfxio : tfxio.project(columns);
}
