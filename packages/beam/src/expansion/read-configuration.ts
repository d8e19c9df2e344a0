import { openTfxio, type Tfxio, type TfxioOptions } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import { isObject, unusableArgument } from "@tfxio/wire/checks";

/** The read that a pipeline in another language requests, as JSON. Unless noted, members are as in the options of `openTfxio`. */
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
  /** Target size of a unit of work, in stored bytes. See `planUnits`. */
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
  unitBytes: true,
} satisfies Record<keyof ReadConfiguration, true>;

/**
 * Parses the payload of a transform. Checks the names of its members; `openConfigured` checks the values.
 * @throws {ArgumentError} `invalid-argument` for bytes that are not JSON, and for an unknown or missing member.
 */
export function parseConfiguration(payload: Uint8Array): ReadConfiguration {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch (cause) {
    throw unusableArgument("payload", `is not JSON: ${String(cause)}`);
  }
  if (!isObject(value) || !("sources" in value)) {
    throw unusableArgument("payload", 'must be a JSON object with the member "sources"');
  }
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(MEMBERS, key));
  if (unknown !== undefined) {
    throw unusableArgument(
      "payload",
      `has an unknown member "${unknown}"; known are ${Object.keys(MEMBERS).join(", ")}`,
    );
  }
  return value as unknown as ReadConfiguration;
}

/** Opens the configured data. @throws whatever `openTfxio` and `parseSchemaText` throw. */
export async function openConfigured({
  sources,
  schema,
  unitBytes: _unitBytes,
  ...options
}: ReadConfiguration): Promise<Tfxio> {
  return openTfxio(sources, {
    ...options,
    ...(schema === undefined ? {} : { schema: parseSchemaText(schema) }),
  });
}
