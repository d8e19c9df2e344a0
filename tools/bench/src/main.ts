import { isTfxioError } from "@tfxio/wire";
import { allBenches } from "./all-benches.js";
import { assertKnown, chosen } from "./chosen.js";
import { BenchError, type BenchOutput, type Measurement, type Output } from "./measurement.js";
import { parseCommandLine, usage } from "./options.js";
import { removeOlderRuns } from "./report/recorded-runs.js";
import { writeReport } from "./report/write-report.js";
import { createPeerPython } from "./peer-python.js";
import { factsOfRun } from "./run-facts.js";
import { saveRun } from "./save-run.js";

/**
 * Runs the benches that `args` name, or all benches if `args` name none. The command `report` only writes the report. Resolves to
 * the exit status: 0 for success, 1 if a bench or the report failed, 2 for an invalid command line.
 */
export async function main(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  try {
    const {
      benches: names,
      report,
      record,
      docsFolder,
      json,
      help,
      options,
    } = parseCommandLine(args, environment);
    if (help) {
      output.print(usage);
      for (const { name, about } of allBenches) output.print(`  ${name.padEnd(16)} ${about}`);
      return 0;
    }
    if (report !== undefined) {
      await writeReport(report, docsFolder, output);
      return 0;
    }
    assertKnown(
      "NAME",
      names,
      allBenches.map(({ name }) => name),
    );
    const benches = chosen(allBenches, names.length > 0 ? names : undefined);
    assertKnown(
      "--sets",
      options.sets,
      benches.flatMap(({ sets }) => sets),
    );
    assertKnown(
      "--subjects",
      options.subjects,
      benches.flatMap(({ subjects }) => subjects),
    );
    const facts = factsOfRun(args, environment);
    const notes: Record<string, string> = {};
    const benchOutput: BenchOutput = {
      ...output,
      note: (subject, text) => {
        if (notes[subject] !== text) output.progress(`${subject}: ${text}`);
        notes[subject] = text;
      },
    };
    const python = createPeerPython(environment, (line) => output.progress(line));
    const measurements: Measurement[] = [];
    const save = async (): Promise<void> => {
      if (json !== undefined) await saveRun(json, measurements, { ...facts, notes });
    };
    // Save now, so that an invalid path fails before the benches run for minutes.
    // Save again after each bench, so that a later failure loses no measurements.
    await save();
    for (const bench of benches) {
      measurements.push(...(await bench.run({ ...options, python }, benchOutput)));
      await save();
    }
    if (record) {
      await removeOlderRuns(docsFolder);
      await writeReport([], docsFolder, output);
    }
    return 0;
  } catch (error) {
    if (error instanceof BenchError) {
      output.progress(error.message);
      return 1;
    }
    if (isTfxioError(error, "invalid-argument")) {
      output.progress(error.message);
      return 2;
    }
    throw error;
  }
}
