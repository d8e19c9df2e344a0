// Statistics on a cluster: how often each value of a column occurs, and the mean of another column, combined over record batches.
//
//   combine.js                                          makes CSV files, and reads them on the direct runner
//   combine.js GLOB FOLDER                              the same over files, into a folder
//   combine.js GLOB FOLDER JOB_SERVICE WORKER_POOL      on a cluster, whose pool requires this module:
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

/** A part of a statistic: what a batch adds to the count or the mean under a key. */
interface Part {
  readonly key: string;
  readonly value: string;
}

interface Sum {
  readonly count: number;
  readonly sum: number;
}

/** Makes of a batch one part for each value of a column. Values of a batch are counted here, so few parts travel. */
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

/** Makes of a batch one part: the sum of a column of numbers, and their number. */
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

/** Adds the parts under a key, and writes the result as a file of its own. A retry replaces the file with an equal one. */
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

// Functions travel by name: the driver and every worker register them.
registry.requireForSerialization("beam-combine", { CountValues, SumNumbers, WriteStatistic });

function part(key: string, sum: Sum): Part {
  return { key, value: JSON.stringify(sum) };
}

/** The values of all rows of a column, which is a list in each row. */
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

/** 3,000 rows in three files: colors take turns, and fares are 0 to 99 over and over. */
async function writeFiles(directory: string): Promise<void> {
  for (const name of ["a.csv", "b.csv", "c.csv"]) {
    const rows = Array.from({ length: 1000 }, (_, row) => `${["red", "blue"][row % 2]},${row % 100}.5`);
    await writeFile(path.join(directory, name), `color,fare\n${rows.join("\n")}\n`);
  }
}

// Workers import this module for its functions alone.
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
