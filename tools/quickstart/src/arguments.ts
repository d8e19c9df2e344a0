import { parseArgs } from "node:util";

/** The parsed command line. */
export interface QuickstartArguments {
  /** Glob of the caller's TFRecords; absent: the penguins that come with the repository's dependencies. */
  readonly data: string | undefined;
  /** File of the TFMD schema in text format; absent: it is inferred. */
  readonly schema: string | undefined;
  /** Integer feature to predict; absent: the data is described and nothing is trained. */
  readonly label: string | undefined;
  readonly epochs: number;
}

export const USAGE = `usage: quickstart [--data GLOB [--schema FILE] [--label NAME]] [--epochs N]

Without --data: writes TFRecords from a table of penguins, reads them back and trains on them.
With --data: does the same on your TFRecords of tf.Examples.
  --data GLOB     files to read, gzip or not
  --schema FILE   TFMD schema in text format (.pbtxt); inferred by a first pass if not given
  --label NAME    integer feature to predict; if not given, the data is read and described only
  --epochs N      passes of the training (default: 30 for penguins, 10 for your data)`;

/** @throws {UsageError} for anything that is not in {@link USAGE}; null when help is asked for. */
export function parseArguments(args: readonly string[]): QuickstartArguments | null {
  let values: { data?: string; schema?: string; label?: string; epochs?: string; help?: boolean };
  try {
    values = parseArgs({
      // `pnpm quickstart -- --data …` hands the dashes through.
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
    throw new UsageError("--schema and --label go with --data");
  }
  const epochs = Number(values.epochs ?? (data === undefined ? 30 : 10));
  if (!Number.isSafeInteger(epochs) || epochs < 1)
    throw new UsageError(`--epochs is a positive integer, not ${values.epochs}`);
  return { data, schema, label, epochs };
}

/** The command line cannot be understood. */
export class UsageError extends Error {}
