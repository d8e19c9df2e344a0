// Computes statistics on a cluster: how often each value of one column occurs, and the mean of another column. Each record batch
// contributes partial results, which the pipeline combines by key.
//
//   combine.js                                          writes CSV files, and reads them on the direct runner
//   combine.js GLOB FOLDER                              reads the given files, and writes the results to a folder
//   combine.js GLOB FOLDER JOB_SERVICE WORKER_POOL      does the same on a cluster. Its worker pool must load this module:
//     tfxio-beam-pool --listen HOST:PORT --require combine.js
import { renameSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { RecordBatch } from "apache-arrow";
import { beamSource, directRunner, portableRunner } from "@tfxio/beam";
import { installRepairs } from "@tfxio/beam/compat";
import { openTfxio } from "@tfxio/io";

const { coders, internal, registry, requiredCoders, transforms } = installRepairs();
const { parDo, withName } = transforms;

/** The contribution of one batch to the statistic `key`. `value` is a {@link Sum} as JSON, because the coder encodes strings. */
interface Part {
  readonly key: string;
  readonly value: string;
}

/** A partial result. For an occurrence count, `sum` equals `count`. */
interface Sum {
  readonly count: number;
  readonly sum: number;
}

/** Yields one part for each distinct value of a column. Equal values of a batch are counted here, so that few parts are sent. */
class CountValues {
  constructor(readonly column: string) {}

  *process(batch: RecordBatch): Generator<Part> {
    const counts = new Map<string, number>();
    for (const value of valuesOf(batch, this.column)) {
      const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    for (const [value, count] of counts) yield part(`count ${value}`, { count, sum: count });
  }
}

/** Yields one part per batch: the sum and the number of the values of a numeric column. Yields none if there are no values. */
class SumNumbers {
  constructor(readonly column: string) {}

  *process(batch: RecordBatch): Generator<Part> {
    let [count, sum] = [0, 0];
    for (const value of valuesOf(batch, this.column)) {
      count++;
      sum += Number(value);
    }
    if (count > 0) yield part(`mean ${this.column}`, { count, sum });
  }
}

/** Adds up the parts of a key, and writes the result to one file per key. A retry replaces the file. */
class WriteStatistic {
  constructor(readonly folder: string) {}

  *process({ key, value }: { key: string; value: Iterable<string> }): Generator<string> {
    let [count, sum] = [0, 0];
    for (const text of value) {
      const added = JSON.parse(text) as Sum;
      count += added.count;
      sum += added.sum;
    }
    const line = key.startsWith("mean") ? `${key} ${sum / count}` : `${key} ${sum}`;
    const file = path.join(this.folder, `${encodeURIComponent(key)}.txt`);
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, line);
    renameSync(temporary, file);
    yield line;
  }
}

// The SDK sends functions by name, so the driver and every worker must register the classes.
registry.requireForSerialization("beam-combine", { CountValues, SumNumbers, WriteStatistic });

function part(key: string, sum: Sum): Part {
  return { key, value: JSON.stringify(sum) };
}

/** Yields the values of all rows of a list column. Null rows yield nothing. */
function* valuesOf(batch: RecordBatch, column: string): Generator {
  for (const values of batch.getChild(column) ?? []) yield* values ?? [];
}

async function combine(glob: string, folder: string, jobEndpoint = "", workerPool = ""): Promise<void> {
  const tfxio = await openTfxio(glob, { inferSchema: "full", columns: ["color", "fare"] });
  const text = new coders.StrUtf8Coder();
  const parts = new requiredCoders.KVCoder(text, text);
  const runner = jobEndpoint === "" ? directRunner() : portableRunner({ jobEndpoint, workerPool });
  await runner.run(async (root) => {
    const batches = await root.applyAsync(beamSource(tfxio, { unitBytes: 64 * 1024 }));
    for (const [name, statistic] of [
      ["Count", new CountValues("color")],
      ["Mean", new SumNumbers("fare")],
    ] as const) {
      batches
        .apply(withName(name, parDo(statistic)))
        .apply(withName(`${name} parts`, internal.withCoderInternal(parts)))
        .apply(withName(`${name} groups`, internal.groupByKey()))
        .apply(withName(`Write ${name}`, parDo(new WriteStatistic(folder))));
    }
  });
  await tfxio.close();
  for (const file of (await readdir(folder)).sort()) {
    if (file.endsWith(".txt")) console.log(await readFile(path.join(folder, file), "utf8"));
  }
}

/** Writes 3,000 rows to three CSV files. Colours alternate between red and blue, and fares cycle from 0.5 to 99.5. */
async function writeFiles(directory: string): Promise<void> {
  for (const name of ["a.csv", "b.csv", "c.csv"]) {
    const rows = Array.from({ length: 1000 }, (_, row) => `${["red", "blue"][row % 2]},${row % 100}.5`);
    await writeFile(path.join(directory, name), `color,fare\n${rows.join("\n")}\n`);
  }
}

// Workers import this module only to register its functions, so run the pipeline only if this file is the program.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [glob, folder, jobEndpoint, workerPool] = process.argv.slice(2);
  if (glob !== undefined && folder !== undefined) await combine(glob, folder, jobEndpoint, workerPool);
  else {
    const directory = await mkdtemp(path.join(tmpdir(), "beam-combine-"));
    await writeFiles(directory);
    await combine(path.join(directory, "*.csv"), directory);
    await rm(directory, { recursive: true });
  }
}
