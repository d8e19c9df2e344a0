// node pipeline-child.js RUNNER FILE FOLDER: groups the records of FILE by their first byte, and writes totals to FOLDER. Prints
// the time in milliseconds and the number of grouped records. RUNNER is "direct" or the address of a job service. This runs in a
// separate process because the SDK prints to the console.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  type BuildPipeline,
  readTotals,
  runPipeline,
  totalsOfRecords,
} from "@tfxio-tools/interop/beam/pipelines";
import { directRunner } from "@tfxio/beam";
import { startWorkerPool } from "@tfxio/beam/pool";
import { openTfxio } from "@tfxio/io";

const [runner = "", file = "", folder = ""] = process.argv.slice(2);
const totals = path.join(folder, "totals");
await mkdir(totals, { recursive: true });
const tfxio = await openTfxio(file, { format: "tfrecord-raw" });
const milliseconds = await timed(totalsOfRecords(tfxio, totals));
await tfxio.close();
const found = await readTotals(totals);
const numRecords = found.reduce((sum, { count }) => sum + count, 0);
console.log(`bench-beam ${JSON.stringify({ milliseconds, numRecords })}`);
// The SDK never closes its channel to the job service, and the open channel would keep this process alive.
process.exit(0);

async function timed(build: BuildPipeline): Promise<number> {
  if (runner === "direct") {
    const start = performance.now();
    await directRunner().run(build);
    return performance.now() - start;
  }
  const functions = fileURLToPath(import.meta.resolve("@tfxio-tools/interop/beam/functions"));
  const pool = await startWorkerPool({ modules: [functions] });
  try {
    const start = performance.now();
    await runPipeline({ jobEndpoint: runner, workerPool: pool.address }, build);
    return performance.now() - start;
  } finally {
    await pool.stop();
  }
}
