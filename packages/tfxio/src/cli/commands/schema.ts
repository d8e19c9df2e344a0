import { schemaFromArrow } from "@tfxio/arrow-encoding";
import { compareSchemas, encodeSchema, formatSchemaText, type Schema, schemaToJson } from "@tfxio/schema";
import type { Command } from "commander";
import { type DeclareCommand, withExamples } from "../command.js";
import { wrongUse } from "../errors/wrong-use.js";
import type { Host } from "../host.js";
import { openData } from "../options/open-data.js";
import { readSchemaFile } from "../options/schema-file.js";
import { type SourceOptions, withSources } from "../options/source-options.js";
import { inferenceExtent } from "../options/inference.js";
import { differenceTable } from "../output/difference-table.js";
import { schemaTable } from "../output/schema-table.js";
import { tableText } from "../output/table.js";

/** Output forms: `pbtxt` is protobuf's text format, `json` its JSON form, and `binary` its binary format. */
type SchemaFormat = "table" | "pbtxt" | "json" | "binary";

/** Options of `tfxio schema`. */
interface SchemaOptions extends SourceOptions {
  readonly as?: SchemaFormat;
  readonly json?: boolean;
  readonly fromArrow?: boolean;
  readonly infer: "full" | "first" | { readonly rows: number };
  /** Path of a schema file. Its values appear in the column `left` of the differences. */
  readonly compare?: string;
}

/** Declares `tfxio schema`. With `--compare`, it prints differences in place of the schema. */
export const declareSchema: DeclareCommand = (command, host) => {
  withExamples(
    withSchemaOptions(withSources(command)),
    "tfxio schema 'train-*.tfrecord'",
    "tfxio schema people.csv > schema.pbtxt",
    "tfxio schema --schema schema.pbtxt --as json -",
    "tfxio schema eval.tfrecord --compare schema.pbtxt",
  ).action(async (sources: readonly string[], options: SchemaOptions) => {
    const schema = await schemaOf(sources, options, host);
    if (options.compare === undefined) await show(schema, options, host);
    else await compare(await readSchemaFile(options.compare), schema, options, host);
  });
};

/** Adds the options of {@link SchemaOptions} that {@link withSources} does not add. */
function withSchemaOptions(command: Command): Command {
  return command
    .addOption(
      command
        .createOption("--as <form>", "table (default on terminals), pbtxt (default in pipes), json or binary")
        .choices(["table", "pbtxt", "json", "binary"]),
    )
    .option("--json", "same as --as json; with --compare, one JSON object per difference")
    .option(
      "--infer <rows>",
      "rows to infer from: full (all rows), first (the first batch) or a number",
      inferenceExtent,
      "full",
    )
    .option(
      "--from-arrow",
      "describe the declared columns of the file instead of inferring a schema from its rows",
    )
    .option("--compare <file>", "list the differences from this schema; exit code 1 if there are any");
}

/**
 * Returns the schema in the `--schema` file, or in the only source if that is a schema file (.pbtxt, .pb, .binpb) and `--format`
 * is not given. Otherwise infers the schema from the data or, with `--from-arrow`, derives it from the declared columns.
 */
async function schemaOf(sources: readonly string[], options: SchemaOptions, host: Host): Promise<Schema> {
  const [first = ""] = sources;
  if (options.schema !== undefined) return readSchemaFile(options.schema);
  if (sources.length === 1 && /\.(?:pbtxt|pb|binpb)$/i.test(first) && options.format === undefined)
    return readSchemaFile(first);
  const isFromArrow = options.fromArrow === true;
  const inferSchema = isFromArrow
    ? undefined
    : first === "-" && options.infer === "full"
      ? "first"
      : options.infer;
  const tfxio = await openData(
    sources,
    options,
    { inferSchema, columnForm: isFromArrow ? "stored" : "lists" },
    host,
  );
  if (!isFromArrow) return tfxio.schema();
  const { arrowSchema } = await tfxio.plan();
  if (arrowSchema === undefined)
    throw wrongUse(
      "--from-arrow requires files that declare their columns; omit it to infer the schema from the rows.",
    );
  return schemaFromArrow(arrowSchema);
}

/** Prints the schema in the requested form. The default depends on whether stdout is a terminal. */
async function show(schema: Schema, { as, json }: SchemaOptions, { stdout }: Host): Promise<void> {
  const form = as ?? (json === true ? "json" : stdout.isTerminal ? "table" : "pbtxt");
  if (form === "binary") await stdout.write(encodeSchema(schema));
  else if (form === "json") await stdout.write(`${JSON.stringify(schemaToJson(schema), null, 2)}\n`);
  else if (form === "pbtxt") await stdout.write(formatSchemaText(schema));
  else await stdout.write(tableText(schemaTable(schema), stdout));
}

/** Prints the differences. If there are any, reports `unsound`, which sets exit code 1. */
async function compare(left: Schema, right: Schema, { json }: SchemaOptions, host: Host): Promise<void> {
  const differences = compareSchemas(left, right);
  if (differences.length > 0) host.report("unsound");
  if (json === true) {
    for (const difference of differences) await host.stdout.write(`${JSON.stringify(difference)}\n`);
  } else if (differences.length === 0) {
    await host.stdout.write("The schemas are equal.\n");
  } else {
    await host.stdout.write(tableText(differenceTable(differences), host.stdout));
  }
}
