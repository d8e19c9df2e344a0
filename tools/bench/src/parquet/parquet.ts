import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import { LineProcess } from "../line-process.js";
import { type Bench, BenchError, type BenchOutput, type Measurement } from "../measurement.js";
import type { FindPeerPython } from "../peer-python.js";
import { pythonCommand } from "../python-command.js";
import { reportRates } from "../report-rates.js";
import { parquetFile, type ParquetSet } from "./parquet-file.js";
import { parquetSubjects } from "./parquet-subjects.js";

const sets: readonly ParquetSet[] = [
  { name: "flat", table: "flat", numRows: 2_500_000 },
  { name: "flat:1of8", table: "flat", numRows: 2_500_000, columns: ["wide"] },
  { name: "list", table: "list", numRows: 1_000_000 },
];
const pythonEngines = ["pyarrow", "duckdb"] as const;

/** A subject that is ready to read. It measures its own time. */
interface Ready {
  readonly name: string;
  readonly run: (
    file: string,
    set: ParquetSet,
  ) => Promise<{ readonly seconds: number; readonly numRows: number }>;
}

/** Reads Parquet files into Arrow columns on one thread. hyparquet reads them into JavaScript arrays. */
export const parquetBench: Bench = {
  name: "parquet",
  about: "reads Parquet files to Arrow columns: all eight columns, one of eight, and lists; rows/s",
  sets: sets.map(({ name }) => name),
  subjects: [...parquetSubjects.map(({ name }) => name), ...pythonEngines],
  run: async (options, output) => {
    const processes: LineProcess[] = [];
    const measurements: Measurement[] = [];
    try {
      const ready: Ready[] = chosen(parquetSubjects, options.subjects).map(({ name, read }) => ({
        name,
        run: (file, set) => timed(() => read(file, set)),
      }));
      for (const { name } of chosen(
        pythonEngines.map((engine) => ({ name: engine })),
        options.subjects,
      )) {
        const process = await startPython(name, options.python, output);
        if (process === undefined) continue;
        processes.push(process);
        ready.push({
          name,
          run: async (path, { columns = null }) =>
            (await process.ask({ path, columns })) as Awaited<ReturnType<Ready["run"]>>,
        });
      }
      for (const set of chosen(sets, options.sets)) {
        output.progress(`${set.name}: writing`);
        const file = await parquetFile(set, options.cacheFolder);
        const contenders = ready.map(({ name, run }) => async () => {
          const { seconds, numRows } = await run(file, set);
          if (numRows !== set.numRows)
            throw new BenchError(
              `parquet ${set.name}: ${name} read ${numRows} rows, expected ${set.numRows}`,
            );
          return seconds;
        });
        await interleave(contenders, 3, () => output.progress("  warm-up"));
        const seconds = await interleave(contenders, options.rounds, (round) =>
          output.progress(`  round ${round + 1} of ${options.rounds}`),
        );
        const work = { bench: "parquet", set: set.name, unit: "rows/s", amount: set.numRows };
        measurements.push(...reportRates(work, ready, seconds, output));
      }
    } finally {
      for (const process of processes) process.close();
    }
    return measurements;
  },
};

async function timed(run: () => Promise<number>): ReturnType<Ready["run"]> {
  const start = performance.now();
  const numRows = await run();
  return { seconds: (performance.now() - start) / 1000, numRows };
}

/** Starts the Python process of an engine. If it cannot run, notes the reason and resolves to undefined. */
async function startPython(
  engine: (typeof pythonEngines)[number],
  python: FindPeerPython,
  output: BenchOutput,
): Promise<LineProcess | undefined> {
  const { program } = await python("tables");
  try {
    const started = new LineProcess(pythonCommand(program, "read_parquet.py", engine));
    const { version } = (await started.receive()) as { readonly version: string };
    output.note(engine, version);
    return started;
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    output.note(engine, `absent (${error.message})`);
    return undefined;
  }
}
