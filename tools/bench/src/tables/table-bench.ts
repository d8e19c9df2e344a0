import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import {
  type Bench,
  BenchError,
  type BenchOptions,
  type BenchOutput,
  type Measurement,
} from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { PythonTables } from "./peers/python-tables.js";
import { checkTableDigests, type TableDigest } from "./table-digest.js";
import { generateTable, type TableFile, type TableKind } from "./table-file.js";
import type { PreparedTable, TableSubject } from "./table-subject.js";

/** Subjects that read the same table from files of one kind, so that their rates are comparable. */
export interface TableSet {
  readonly name: string;
  readonly kind: TableKind;
  /** True if all subjects get the same types. The bench then checks that they produce the same columns. */
  readonly isTyped: boolean;
  /** Creates the subjects. Our subject must come first, because the ratios divide its speed by that of the others. */
  subjects(python: PythonTables): readonly TableSubject[];
}

/** Description of a bench of one file format. */
export interface TableBench extends Pick<Bench, "name" | "about"> {
  readonly sets: readonly TableSet[];
}

interface Entrant extends PreparedTable {
  readonly name: string;
  readonly file: TableFile;
}

// Used only to list the names of the subjects. No subject runs, so Python is not needed.
const noPython = new PythonTables(() => Promise.reject(new BenchError("no Python")));

/** Creates a bench that reads a generated file with every subject. The rates are in MB/s of the file. */
export function tableBench({ name: bench, about, sets }: TableBench): Bench {
  return {
    name: bench,
    about,
    sets: sets.map(({ name }) => name),
    subjects: [...new Set(sets.flatMap((set) => set.subjects(noPython).map(({ name }) => name)))],
    run: async (options, output) => {
      const python = new PythonTables(() => options.python("tables"));
      const measurements: Measurement[] = [];
      try {
        for (const set of chosen(sets, options.sets)) {
          measurements.push(...(await runSet(bench, set, python, options, output)));
        }
      } finally {
        python.close();
      }
      return measurements;
    },
  };
}

async function runSet(
  bench: string,
  set: TableSet,
  python: PythonTables,
  options: BenchOptions,
  output: BenchOutput,
): Promise<readonly Measurement[]> {
  output.progress(`${bench} ${set.name}: generating`);
  const { setBytes, sampleBytes, cacheFolder } = options;
  const whole = await generateTable(set.kind, setBytes, cacheFolder);
  const sample = await generateTable(set.kind, Math.min(sampleBytes, setBytes), cacheFolder);
  const entrants: Entrant[] = [];
  for (const subject of chosen(set.subjects(python), options.subjects)) {
    const prepared = await subject.prepare();
    if ("absent" in prepared) {
      output.note(subject.name, `absent (${prepared.absent})`);
      continue;
    }
    if (prepared.version !== undefined) output.note(subject.name, prepared.version);
    entrants.push({ ...prepared, name: subject.name, file: subject.reads === "whole" ? whole : sample });
  }
  if (set.isTyped) await checkAgreement(`${bench} ${set.name}`, entrants, sample);
  const contenders = entrants.map((entrant) => async () => {
    const { name, file } = entrant;
    const { seconds, numRows } = await entrant.run(file);
    if (numRows !== file.numRows)
      throw new BenchError(`${bench} ${set.name}: ${name} read ${numRows} rows, expected ${file.numRows}`);
    // The time for a sample is scaled to the whole file, so that the times of all subjects are for the same number of bytes.
    return (seconds * whole.numBytes) / file.numBytes;
  });
  await interleave(contenders, 1, () => output.progress("  warm-up"));
  const seconds = await interleave(contenders, options.rounds, (round) =>
    output.progress(`  round ${round + 1} of ${options.rounds}`),
  );
  const work = { bench, set: set.name, unit: "MB/s", amount: whole.numBytes / 1e6 };
  return reportRates(work, entrants, seconds, output);
}

/** @throws {BenchError} if a subject reads the sample differently from the first subject. `where` begins the message. */
async function checkAgreement(where: string, entrants: readonly Entrant[], sample: TableFile): Promise<void> {
  let expected: TableDigest | undefined;
  for (const entrant of entrants) {
    const found = await entrant.digest(sample);
    expected ??= found;
    const findings = checkTableDigests(expected, found);
    if (findings.length > 0) {
      throw new BenchError(
        `${where}: ${entrants[0]?.name} and ${entrant.name} disagree: ${findings.join("; ")}`,
      );
    }
  }
}
