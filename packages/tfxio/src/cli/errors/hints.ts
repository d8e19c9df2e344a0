import type { TfxioError } from "@tfxio/wire/errors";

/** The command that failed. */
export interface Call {
  /** Name of the command, without the names of its parent commands. */
  readonly command: string;
  /** Its options, keyed by the camelCase names that commander gives them. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The details of an error on which hints depend. */
interface Details {
  readonly argument?: string;
  readonly feature?: string;
  readonly recordIndex?: number;
  readonly uri?: string;
}

/** A hint, or a function that chooses one by the details of the error and the command. */
type Hint = string | ((details: Details, call: Call) => string | undefined);

const DAMAGE = "tfxio verify shows where the damage in each file begins";

/**
 * Hints for command-line users. A key has one of three forms, which are tried in this order: `code reason`, `reason`, `code`.
 */
const HINTS: Readonly<Record<string, Hint>> = {
  "unknown-format": ({ argument }) =>
    argument === "--to"
      ? "name the format of the target: --to tfrecord, csv, jsonl, parquet, arrow or avro"
      : "name the format: --format tfrecord, csv, jsonl, parquet, arrow, avro or protobuf",
  "no-match": "check the pattern; put globs in quotes",
  "not-found": ({ uri = "" }) => (/^https?:/i.test(uri) ? "check the URL" : "check the path"),
  "url-scheme": "name the module of a store that handles these URLs: --store MODULE",
  "read-only-store": "write to a path, or name a store that can write",
  directory: ({ argument }) => (argument === "target" ? undefined : "name files, or a glob in quotes"),
  "unknown-option": "the README of the format lists its options",
  "glob-target": "name one file; shards are named after it",
  "schema-required": "give a schema: --schema FILE",
  "malformed-payload column-count":
    "if the delimiter is wrong, set it: --option delimiter=';'; to skip such rows, use --option onBadRow=skip",
  "header-name": "to give such columns numbered names, use --option onBadName=number",
  "wrong-kind": (_, { options }) =>
    options["schema"] === undefined
      ? "the column has several types; leave it out with --columns, or give a schema: --schema FILE"
      : "correct the column's type in the schema, or leave the column out with --columns",
  "unknown-column": "tfxio schema SOURCE lists the columns",
  "unlisted-feature": (_, { options }) =>
    options["to"] === "tfrecord-raw"
      ? "to copy the records of TFRecord files, add --format tfrecord-raw; to write columns, use --to tfrecord"
      : "infer the schema from all rows with --infer full, or give one: --schema FILE",
  "length-crc": ({ recordIndex }) =>
    recordIndex === 0
      ? `if the file is not a TFRecord file, name its format: --format ID; otherwise, ${DAMAGE}`
      : DAMAGE,
  "target-is-source": "write to another name, then rename the file",
  "other-write": "to finish the interrupted write, repeat its command; to start again, add --restart",
  "other-shards": "remove those shards, or choose another target",
  "compressed-index": "decompress the file first",
  "unknown-entity": "tfxio artifacts ls STORE lists the artifacts",
  "metadata-store": "pass the SQLite file that the pipeline's metadata_connection_config names",
  "filter-query": `use a filter query of ML Metadata, such as "type = 'Examples' AND state = LIVE"`,
  "sqlite-driver": "npm install libsql, or use Node 22.13 or later",
  stream: "save stdin to a file first",
  "full-inference": "infer the schema from the first rows: --infer first",
  "float32-inexact": "round with --float64 float32-lossy",
  "corrupt-record": DAMAGE,
  "truncated-record": DAMAGE,
  "malformed-payload": "if the format was detected wrongly, name it: --format ID",
  "limit-exceeded": "a length in the file may be damaged; tfxio verify shows where",
  "schema-invalid": "for an example of a valid schema, run tfxio schema SOURCE",
  "schema-mismatch":
    "tfxio schema SOURCE shows the schema of the data; add --compare FILE to see the differences",
  "undeclared-request": ({ feature }, { command }) => {
    if (feature === "rawRecordColumn")
      return "omit --raw, or use a format with separate records, such as TFRecord or JSON Lines";
    return command === "split" ? "name a column: --by COLUMN" : undefined;
  },
};

/**
 * Returns a hint for the user. Undefined if there is no hint for the error.
 * @param call Default: no command, for errors that occur before a command runs.
 */
export function hintOf(error: TfxioError, call: Call = { command: "", options: {} }): string | undefined {
  const { code, reason } = error;
  const byReason = reason === undefined ? undefined : (HINTS[`${code} ${reason}`] ?? HINTS[reason]);
  const hint = byReason ?? HINTS[code];
  return typeof hint === "function" ? hint(error as Details, call) : hint;
}
