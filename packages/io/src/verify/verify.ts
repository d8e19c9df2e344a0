import type { Format } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import { type ByteSource, openSources, type SourceInput } from "@tfxio/wire";
import { assertOptions } from "@tfxio/wire/checks";
import { chooseFormat } from "../choose-format.js";
import { reportProgress } from "../report-progress.js";
import { addTypes, columnDrift } from "./file-columns.js";
import { VERIFY_RULES, type VerifyOptions } from "./verify-options.js";
import { type FileReport, reportOf, type VerifyReport } from "./verify-report.js";
import { type FileCounts, verifySource } from "./verify-source.js";

/**
 * Reads every file to its end or to its first damage, and reports its counts and the damage. Damage in one file does not prevent
 * the other files from being read.
 *
 * Applies all checks of normal reading. For TFRecords, it verifies every checksum and decodes every record. With `columns: []`,
 * it checks only the framing. With `schema`, values must also have the types of the schema. Files may have different formats. An
 * empty file without a known extension is read in the format that `openTfxio` detects for all files together. With `drift`, it
 * also compares the columns of the files. Holds one batch in memory.
 * @throws {ArgumentError} `invalid-argument`; `unknown-format` (`unknown-id`) for an unknown format id.
 * @throws {SourceError} for a path or URL that cannot be opened.
 * @throws {UnsupportedError} `unsupported`.
 * @throws {UserFunctionError} `user-function` when `onProgress` throws. Also throws `signal.reason`. Damage is reported, not
 *   thrown.
 */
export async function verify(
  input: SourceInput | readonly SourceInput[],
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  assertOptions("verify", options, VERIFY_RULES);
  const { signal, stores = [], onProgress } = options;
  const sources: readonly ByteSource[] = await openSources(input, { signal, stores });
  const files: FileReport[] = [];
  let first: Schema | undefined;
  let format: Promise<Format> | undefined;
  const formatOfAll = (): Promise<Format> => (format ??= chooseFormat(sources, options));
  for (const source of sources) {
    const before = reportOf(files);
    const onCounts = ({ numRows, numBytes }: FileCounts): void => {
      reportProgress(onProgress, {
        uri: source.uri,
        numFiles: files.length,
        numRows: before.numRows + numRows,
        numBytes: before.numBytes + numBytes,
      });
    };
    const { report, schema } = await verifySource(source, options, { formatOfAll, onCounts });
    const drift = schema === undefined || first === undefined ? [] : columnDrift(first, schema);
    if (first === undefined) first = schema;
    else if (schema !== undefined) addTypes(first, schema);
    files.push(drift.length === 0 ? report : { ...report, drift });
  }
  return reportOf(files);
}
