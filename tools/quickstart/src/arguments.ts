import { parseArgs } from "node:util";

/** The parsed command line. */
export interface QuickstartArguments {
  /** Glob of the user's TFRecord files; undefined to use the table of penguins in the `vega-datasets` package. */
  readonly data: string | undefined;
  /** Path of the TFMD schema in text format; undefined to infer a schema. */
  readonly schema: string | undefined;
  /** Integer feature of the user's data to predict; undefined to describe that data without training. */
  readonly label: string | undefined;
  /** Number of passes over the training data; at least 1. */
  readonly epochs: number;
}

/** The text that `--help` prints. It also follows the message of a {@link UsageError}. */
export const USAGE = `usage: quickstart [--data GLOB [--schema FILE] [--label NAME]] [--epochs N]

Without --data: writes a table of penguins as TFRecords, reads them and trains a model on them.
With --data: reads your TFRecords of tf.Examples, and trains a model on them if you pass a --label.
  --data GLOB     files to read, with or without gzip compression
  --schema FILE   TFMD schema in text format (.pbtxt); without it, a first pass infers the schema
  --label NAME    integer feature to predict; without it, the data is only read and described
  --epochs N      number of passes over the training data (default: 30 for penguins, 10 for your data)`;

/**
 * Parses the command line. Returns null for `--help`.
 * @throws {UsageError} if the command line does not match {@link USAGE}.
 */
export function parseArguments(args: readonly string[]): QuickstartArguments | null {
  let values: { data?: string; schema?: string; label?: string; epochs?: string; help?: boolean };
  try {
    values = parseArgs({
      // `pnpm quickstart -- --data …` passes the first `--` to this program.
      args: args.filter((argument) => argument !== "--"),
      options: {
        data: { type: "string" },
        schema: { type: "string" },
        label: { type: "string" },
        epochs: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (values.help) return null;
  const { data, schema, label } = values;
  if (data === undefined && (schema !== undefined || label !== undefined)) {
    throw new UsageError("--schema and --label require --data");
  }
  const epochs = Number(values.epochs ?? (data === undefined ? 30 : 10));
  if (!Number.isSafeInteger(epochs) || epochs < 1)
    throw new UsageError(`--epochs must be a positive integer, found "${values.epochs}"`);
  return { data, schema, label, epochs };
}

/** Thrown for an invalid command line. The command then exits with 2. */
export class UsageError extends Error {}
