import { type FileReport, verify, type VerifyReport } from "@tfxio/io";
import { type DeclareCommand, withExamples } from "../command.js";
import type { Host } from "../host.js";
import { inputAndOptions } from "../options/open-data.js";
import { assertNoStdin, type SourceOptions, withJson, withSources } from "../options/source-options.js";
import { printable } from "../output/printable.js";
import { createProgress } from "../output/progress.js";
import { tableText } from "../output/table.js";
import { bytesText, counted, countText } from "../output/units.js";
import { differenceTable } from "../output/difference-table.js";

/** Options of `tfxio verify`. */
interface VerifyCommandOptions extends SourceOptions {
  readonly json?: boolean;
  /** False with `--no-drift`. */
  readonly drift: boolean;
}

/**
 * Declares `tfxio verify`. It reads each file to its end, or until it finds damage, and then continues with the next file.
 * It also compares the columns of the files, unless `--no-drift`, `--columns` or `--schema` is given.
 */
export const declareVerify: DeclareCommand = (command, host) => {
  withExamples(
    withJson(
      withSources(command, "stdin", "where", "float64").option(
        "--no-drift",
        "do not compare the columns of the files",
      ),
      "one line per file",
    ),
    "tfxio verify 'train-*.tfrecord.gz'",
    "tfxio verify --schema schema.pbtxt 'eval/*.tfrecord'",
  ).action(async (sources: readonly string[], options: VerifyCommandOptions) => {
    assertNoStdin("verify", sources);
    const { options: reading } = await inputAndOptions(sources, options, host);
    const { filter: _filter, float64: _float64, ...shared } = reading;
    const progress = await createProgress("verifying", host, sources);
    try {
      const report = await verify(sources, {
        ...shared,
        drift: options.drift && options.columns === undefined && options.schema === undefined,
        onProgress: progress.update,
      });
      progress.end();
      if (report.numDamaged + report.numDrifted > 0) host.report("unsound");
      await (options.json === true ? writeJson(report, host) : writeReport(report, host));
    } finally {
      progress.end();
    }
  });
};

async function writeJson({ files }: VerifyReport, { stdout }: Host): Promise<void> {
  for (const file of files) await stdout.write(`${JSON.stringify(file)}\n`);
}

/** Prints a table of the files, then the damage and drift of each file, then a summary. */
async function writeReport(
  { files, numDamaged, numDrifted, numRows, numBytes }: VerifyReport,
  { stdout }: Host,
): Promise<void> {
  const rows = files.map((file) => [
    file.uri,
    file.format ?? "?",
    countText(file.numRows),
    bytesText(file.numBytes),
    stateText(file),
  ]);
  await stdout.write(tableText({ head: ["file", "format", "rows", "bytes", "state"], rows }, stdout));
  for (const { uri, damage, drift } of files) {
    if (damage !== undefined) await stdout.write(`\n${printable(`${uri}: ${damage.message}`)}\n`);
    if (drift !== undefined)
      await stdout.write(
        `\n${printable(uri)} differs from the sound files before it:\n${tableText(differenceTable(drift), stdout)}`,
      );
  }
  const state = numDamaged + numDrifted === 0 ? "all sound" : `${numDamaged} damaged, ${numDrifted} drifted`;
  await stdout.write(
    `\n${counted(files.length, "file")}, ${counted(numRows, "row")}, ${bytesText(numBytes)}: ${state}\n`,
  );
}

/** Returns the state of a file: the reason or code of its damage, `drift`, or `sound` with the number of skipped records. */
function stateText({ damage, drift, numSkipped }: FileReport): string {
  if (damage !== undefined) return damage.reason ?? damage.code;
  if (drift !== undefined) return "drift";
  return numSkipped > 0 ? `sound, ${counted(numSkipped, "record")} skipped` : "sound";
}
