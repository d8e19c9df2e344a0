import { parseArgs } from "node:util";

/** The parsed command line. */
export interface QuickstartArguments {
  /** Glob of the user's TFRecord files; undefined to use the penguins from the `vega-datasets` package. */
  readonly data: string | undefined;
  /** File of the TFMD schema in text format; undefined to infer one. */
  readonly schema: string | undefined;
  /** Integer feature to predict; undefined to describe the data without training. */
  readonly label: string | undefined;
  /** Passes over the training data; at least 1. */
  readonly epochs: number;
}

export const USAGE = `usage: quickstart [--data GLOB [--schema FILE] [--label NAME]] [--epochs N]

Without --data: writes TFRecords from a table of penguins, reads them back and trains on them.
With --data: does the same on your TFRecords of tf.Examples.
  --data GLOB     files to read, gzip or not
  --schema FILE   TFMD schema in text format (.pbtxt); inferred by a first pass if not given
  --label NAME    integer feature to predict; without it, the data is only read and described
  --epochs N      passes of the training (default: 30 for penguins, 10 for your data)`;

/**
 * Parses the command line. Returns null when the user asks for help.
 * @throws {UsageError} for anything that {@link USAGE} does not allow.
 */
export function parseArguments(args: readonly string[]): QuickstartArguments | null {
  let values: { data?: string; schema?: string; label?: string; epochs?: string; help?: boolean };
  try {
    values = parseArgs({
      // `pnpm quickstart -- --data …` passes the first `--` on.
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
    throw new UsageError(`--epochs must be a positive integer, not ${values.epochs}`);
  return { data, schema, label, epochs };
}

/** An invalid command line. */
export class UsageError extends Error {}
