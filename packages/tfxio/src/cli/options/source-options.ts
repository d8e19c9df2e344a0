import { UnsupportedError } from "@tfxio/wire/errors";
import { type Command, InvalidArgumentError, type Option } from "commander";
import { wrongUse } from "../errors/wrong-use.js";
import type { Host } from "../host.js";

/** Command-line options of commands that read data. Some commands lack those in {@link Unsupported}. */
export interface SourceOptions {
  /** Id of a format. Default: determined by name, then by content. */
  readonly format?: string;
  /** Path of a schema file. */
  readonly schema?: string;
  /** Column paths in the syntax of {@link ColumnPath.parse}. */
  readonly columns?: readonly string[];
  /** A predicate in text form. */
  readonly where?: string;
  /** Options of the format, by name. The format checks them. */
  readonly option?: Readonly<Record<string, unknown>>;
  /** Path of a `.proto` file or a FileDescriptorSet. */
  readonly proto?: string;
  readonly message?: string;
  /** See the option of this name in `openTfxio`. */
  readonly float64?: "float32" | "float32-lossy";
  /** Modules of byte stores, each optionally with `=JSON`. */
  readonly store?: readonly string[];
}

/** A feature that some commands do not support: stdin as the source, or an option of {@link SourceOptions}. */
export type Unsupported = "stdin" | "where" | "float64";

/** Adds the argument for the sources and the options of {@link SourceOptions}, except those in `unsupported`. */
export function withSources(command: Command, ...unsupported: readonly Unsupported[]): Command {
  const hasStdin = !unsupported.includes("stdin");
  command.argument(
    "<sources...>",
    `paths, globs in quotes, ${hasStdin ? "URLs, or - for stdin" : "or URLs"}`,
  );
  for (const option of sourceOptions(command))
    if (!(unsupported as readonly string[]).includes(option.attributeName())) command.addOption(option);
  return command;
}

/** Creates the options of {@link SourceOptions}. */
function sourceOptions(command: Command): readonly Option[] {
  const option = (flags: string, description: string): Option => command.createOption(flags, description);
  return [
    option(
      "-f, --format <id>",
      "format of the sources; default: detected from the name, then from the content",
    ),
    option("-s, --schema <file>", "TFMD schema: .pbtxt, .json or .pb"),
    option(
      "-c, --columns <names>",
      "columns to read, separated by commas; user.age is the field age of the struct user",
    ).argParser(commaSeparated),
    option("-w, --where <predicate>", `rows to keep, such as 'age >= 18 and country in ("DE", "FR")'`),
    option(
      "-O, --option <name=value>",
      `option of the format, such as delimiter=';' or, with a JSON value, 'columnNames=["a","b"]'; may be repeated`,
    ).argParser(formatOption),
    option(
      "--proto <file>",
      ".proto file or FileDescriptorSet that defines the messages; requires --message",
    ),
    option("--message <type>", "full name of the message type; requires --proto"),
    option("--float64 <policy>", "conversion of float64 values to FLOAT features").choices([
      "float32",
      "float32-lossy",
    ]),
    storeOption(command),
  ];
}

/** Creates the option `--store`. */
export function storeOption(command: Command): Option {
  return command
    .createOption(
      "--store <module>",
      "module of a store for URLs such as s3://bucket/key, with =JSON for its configuration; may be repeated",
    )
    .argParser(repeated);
}

/** Adds `--json`. `what` describes the output, such as "one line per row". */
export function withJson(command: Command, what: string): Command {
  return command.option("--json", `${what} as JSON`);
}

/** Creates a parser for an option whose value is an integer of at least `minimum`. */
export function wholeNumber(minimum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= minimum) return value;
    throw new InvalidArgumentError(`It must be an integer of at least ${minimum}.`);
  };
}

/** Number of bytes in each unit. The keys are in lower case, without the `B`. */
const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
};

/** Parses a size in bytes, such as `256MB`, `1GiB` or `100000`, for an option. */
export function byteSize(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmg]i?)?b?$/i.exec(text) ?? [];
  const value = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("It must be a size above 0, such as 256MB or 1GiB.");
}

/** Parses a share above 0 and below 1, such as `0.1` or `10%`, for an option. */
export function share(text: string): number {
  const value = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text.trim() !== "" && value > 0 && value < 1) return value;
  throw new InvalidArgumentError("It must be a share above 0 and below 1, such as 0.1 or 10%.");
}

/** Collects the values of an option that may be repeated. */
function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Splits names at commas. A name that contains a comma cannot be given. */
function commaSeparated(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names;
  throw new InvalidArgumentError("Every column must have a name.");
}

/**
 * Parses `name=value` and adds it to `before`. `true`, `false`, numbers, and text that begins with `[`, `{` or `"` are parsed as
 * JSON. Any other value stays text.
 */
export function formatOption(
  text: string,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const [, name, value] = /^([A-Za-z]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError("It must be name=value, such as delimiter=';'.");
  return { ...before, [name]: valueOf(value) };
}

function valueOf(text: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(text) || /^(true|false)$/.test(text) || /^[[{"]/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new InvalidArgumentError(
        `Numbers and values that begin with '[', '{' or '"' must be JSON, found ${text}.`,
      );
    }
  }
  return text;
}

/**
 * Returns the input of a command: stdin for `-`, otherwise the names.
 * @throws {ArgumentError} `invalid-argument` if `-` is one of several sources.
 */
export function inputOf(
  sources: readonly string[],
  host: Host,
): readonly string[] | AsyncIterable<Uint8Array> {
  if (!sources.includes("-")) return sources;
  if (sources.length > 1) throw wrongUse("Stdin (-) must be the only source.");
  return host.stdin();
}

/**
 * Checks that stdin is not among the sources of a command that requires files.
 * @throws {UnsupportedError} `unsupported` (`stream`).
 */
export function assertNoStdin(command: string, sources: readonly string[]): void {
  if (!sources.includes("-")) return;
  throw new UnsupportedError(`tfxio ${command} requires files, found - (stdin).`, {
    feature: "stdin",
    reason: "stream",
  });
}

/** Options of commands that show some of the rows. */
export interface SomeRowsOptions extends SourceOptions {
  readonly limit: number;
  readonly json?: boolean;
  /** Characters per line of the table. */
  readonly width?: number;
}

/**
 * Adds `--limit`, `--json` and `--width`.
 * @param numRows Default of `--limit`.
 * @param line What a line of JSON holds.
 */
export function withShownRows(command: Command, numRows: number, line = "row"): Command {
  return withJson(
    command
      .option("-n, --limit <rows>", "rows to show", wholeNumber(0), numRows)
      .option(
        "--width <characters>",
        "width of the table; default: the width of the terminal, or unlimited in pipes",
        wholeNumber(20),
      ),
    `one line per ${line}`,
  );
}
