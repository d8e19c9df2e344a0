import { compareSchemas, type Schema, type SchemaDifference } from "@tfxio/schema";
import { type ByteSource, openSources, type SourceInput } from "@tfxio/wire";
import { assertOptions } from "@tfxio/wire/checks";
import { reportProgress } from "../report-progress.js";
import { VERIFY_RULES, type VerifyOptions } from "./verify-options.js";
import { type FileReport, reportOf, type VerifyReport } from "./verify-report.js";
import { verifySource } from "./verify-source.js";

/** Differences that change which columns there are, and of what type. */
function columnDrift(first: Schema, schema: Schema): readonly SchemaDifference[] {
  return compareSchemas(first, schema).filter(
    ({ element, field }) => element === "feature" && (field === undefined || field === "type"),
  );
}

/**
 * Reads files to their end and reports, for each, how much it holds and the first damage in it; damage of one does not stop
 * the others. Everything that reading checks is checked: of TFRecords every checksum, and that each record decodes. With
 * `columns: []` only the framing is looked at, with `schema` also that the values are of its types. Each file may be of a
 * format of its own. With `drift`, files are compared too. Memory: a batch.
 * @throws {ArgumentError} `invalid-argument`; {@link SourceError} for a path or URL that cannot be opened;
 * {@link UnsupportedError} `unsupported`; the reason of the signal. Damage is reported, never thrown.
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
  for (const source of sources) {
    const before = reportOf(files);
    const { report, schema } = await verifySource(source, options, ({ numRows, numBytes }) => {
      reportProgress(onProgress, {
        uri: source.uri,
        numFiles: files.length,
        numRows: before.numRows + numRows,
        numBytes: before.numBytes + numBytes,
      });
    });
    first ??= schema;
    const drift = schema === undefined ? [] : columnDrift(first as Schema, schema);
    files.push(drift.length === 0 ? report : { ...report, drift });
  }
  return reportOf(files);
}
