import type { TfxioError } from "@tfxio/wire/errors";

/**
 * Hints for command-line users. A key is `code reason`, `reason` or `code`. If several keys match an error, the first
 * of them in this order is used.
 */
const HINTS: Readonly<Record<string, string>> = {
  "unknown-format": "name the format: --format tfrecord, csv, jsonl, parquet, arrow, avro or protobuf",
  "not-found": "check the path; put globs in quotes",
  "url-scheme": "name the module of a store that handles these URLs: --store MODULE",
  "read-only-store": "write to a path, or name a store that can write",
  directory: "name files, or a glob in quotes",
  "unknown-option": "the README of the format lists its options",
  "glob-target": "name one file; shards are named after it",
  "schema-required": "give a schema: --schema FILE",
  "malformed-payload column-count":
    "if the delimiter is wrong, set it: --option delimiter=';'; to skip such rows, use --option onBadRow=skip",
  "header-name": "to add numbers to such names, use --option onBadName=number",
  "wrong-kind": "the column has several types; leave it out with --columns, or give a schema: --schema FILE",
  "unknown-column": "tfxio schema SOURCE lists the columns",
  "unlisted-feature": "infer the schema from all rows with --infer full, or give one: --schema FILE",
  "payload-crc": "tfxio verify lists the damage in all files",
  "target-is-source": "write to another name, then rename the file",
  "other-write": "repeat that command to finish it, or start again with --restart",
  "other-shards": "remove those shards, or choose another target",
  "compressed-index": "decompress the file first",
  "unknown-entity": "tfxio artifacts ls STORE lists the artifacts",
  "metadata-store": "pass the SQLite file that the pipeline's metadata_connection_config names",
  "filter-query": `use a filter query of ML Metadata, such as "type = 'Examples' AND state = LIVE"`,
  "sqlite-driver": "npm install libsql, or use Node 22.13 or later",
  stream: "save stdin to a file first",
  "full-inference": "infer the schema from the first rows: --infer first",
  "float32-inexact": "round with --float64 float32-lossy",
  "corrupt-record": "tfxio verify lists the damage in all files",
  "truncated-record": "tfxio verify lists the damage in all files",
  "malformed-payload": "if the format was detected wrongly, name it: --format ID",
  "limit-exceeded": "a length in the file may be damaged; tfxio verify shows where",
  "schema-invalid": "for an example of a valid schema, run tfxio schema SOURCE",
  "schema-mismatch":
    "tfxio schema SOURCE shows the schema of the data; add --compare FILE to see the differences",
  "undeclared-request": "for tfxio split, name a column: --by COLUMN",
};

/** Returns a hint for the user. Undefined if there is no hint for the error. */
export function hintOf({ code, reason }: TfxioError): string | undefined {
  const byReason = reason === undefined ? undefined : (HINTS[`${code} ${reason}`] ?? HINTS[reason]);
  return byReason ?? HINTS[code];
}
