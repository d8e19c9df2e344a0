import { createFormatRegistry } from "@tfxio/format";
import {
  type AllColumns,
  firstRows,
  openTfxio,
  standardFormats,
  type Tfxio,
  type TfxioInput,
  type TfxioOptions,
} from "@tfxio/io";
import { ColumnPath, type Schema } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire/errors";
import type { Host } from "../host.js";
import { assertKnownColumns, columnsInUse } from "./known-columns.js";
import { readSchemaFile } from "./schema-file.js";
import { inputOf, type SourceOptions } from "./source-options.js";
import { loadStores } from "./stores.js";
import { parseWhere } from "./where.js";

/** Reading options that a command sets, as opposed to options from the command line. */
export interface ReadingOptions
  extends Pick<TfxioOptions, "inferSchema" | "batchBytes" | "splitBytes" | "columnForm"> {
  /** A schema inferred from the data. Columns outside it are errors. Ignored if the command line gives a schema. */
  readonly inferredSchema?: Schema | undefined;
}

/** Arguments of `openTfxio`, derived from the command line. */
export interface OpenedInput {
  readonly input: TfxioInput;
  readonly options: TfxioOptions;
}

/** Derives the arguments of `openTfxio`. Loads the schema, the stores and the message type, but does not read the data. */
export async function inputAndOptions(
  sources: readonly string[],
  given: SourceOptions,
  host: Host,
): Promise<OpenedInput> {
  const { proto, message: messageName, format } = given;
  const isOfMessages =
    proto !== undefined ||
    messageName !== undefined ||
    (areOfMessages(sources, format) && given.option?.["descriptor"] === undefined);
  // Import the protobuf formats only for reads of protobuf messages.
  const message = isOfMessages
    ? await (await import("./message-type.js")).messageFormat(given, sources)
    : undefined;
  const options: TfxioOptions = {
    format: message?.format ?? format,
    formatOptions: { ...message?.formatOptions, ...given.option },
    schema: given.schema === undefined ? undefined : await readSchemaFile(given.schema),
    columns: given.columns?.map((column) => ColumnPath.parse(column)),
    filter: given.where === undefined ? undefined : parseWhere(given.where),
    float64: given.float64,
    stores: await loadStores(given.store),
    signal: host.signal,
  };
  return { input: inputOf(sources, host), options };
}

/** Returns whether the records of a format are protobuf messages. */
export function holdsMessages(formatId: string): boolean {
  return formatId === "protobuf" || formatId === "tfrecord-protobuf";
}

/** Returns whether the format holds protobuf messages. By default, the names of the sources determine the format. */
function areOfMessages(sources: readonly string[], format: string | undefined): boolean {
  if (format !== undefined) return holdsMessages(format);
  const formats = createFormatRegistry(...standardFormats);
  return sources.some((name) => {
    try {
      return holdsMessages(formats.named(name).id);
    } catch (error) {
      if (!isTfxioError(error, "unknown-format")) throw error;
      return false;
    }
  });
}

/**
 * Opens the sources of a command.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) if `--columns` or `--where` names an unknown column. If files do not
 *   declare their columns, their first rows are searched for the names. Stdin is not checked here. Also throws the errors of
 *   `openTfxio`.
 */
export async function openData(
  sources: readonly string[],
  given: SourceOptions,
  reading: ReadingOptions,
  host: Host,
): Promise<Tfxio> {
  const { input, options } = await inputAndOptions(sources, given, host);
  const { inferSchema, inferredSchema, ...others } = reading;
  const inferred =
    inferredSchema === undefined ? { inferSchema } : { schema: inferredSchema, unlisted: "error" as const };
  // If the command line gives a schema, nothing is inferred.
  const all = { ...options, ...others, ...(options.schema === undefined && inferred) };
  await assertColumnsOf(input, all);
  return openTfxio(input, all as TfxioOptions & AllColumns);
}

/** Number of rows that are searched for column names if the files do not declare their columns. */
const LOOKED_AT_ROWS = 1000;

/**
 * Checks the columns that `columns` and `filter` name, so that an unknown column is an error before any output. To do so, opens
 * the input without these options.
 */
async function assertColumnsOf(input: TfxioInput, options: TfxioOptions): Promise<void> {
  const wanted = columnsInUse(options.columns as readonly ColumnPath[] | undefined, options.filter as never);
  // A stream can be read only once. If its format declares columns, its reader reports unknown ones.
  if (wanted.length === 0 || !Array.isArray(input)) return;
  const looked = await openTfxio(input as readonly string[], {
    ...options,
    columns: undefined,
    filter: undefined,
    inferSchema: undefined,
    batchBytes: 2 ** 20,
  });
  try {
    const { arrowSchema } = await looked.plan();
    if (arrowSchema !== undefined) return assertKnownColumns(wanted, arrowSchema);
    const fields = new Map();
    for await (const { schema } of firstRows(looked, { numRows: LOOKED_AT_ROWS, signal: options.signal }))
      for (const field of schema.fields) fields.set(field.name, field);
    if (fields.size > 0) assertKnownColumns(wanted, { fields: [...fields.values()] } as never);
  } catch (error) {
    // The command itself reports damage, because it may have rows to show first.
    if (!isTfxioError(error, "corrupt-record", "truncated-record", "malformed-payload")) throw error;
  } finally {
    await looked.close();
  }
}
