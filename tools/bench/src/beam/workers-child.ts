// A worker of `bench beam`: node workers-child.js PLAN WORKER NUM_WORKERS PASSES. It loads the same modules as a worker of a
// Beam worker pool, and decodes its share of the units once, so that V8 compiles the code. Then it sends "ready" to its parent.
// On the next message, it decodes the share PASSES times and reports the number of records and the processor time.
import { readFileSync } from "node:fs";
import { installRepairs } from "@tfxio/beam/compat";
import { runUnit, type UnitPlan, unitsOfWorker } from "@tfxio/beam/plan";
import type { WorkerReport } from "./workers.js";

const [planFile = "", worker = "", numWorkers = "", passes = ""] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, "utf8")) as UnitPlan;
const share = unitsOfWorker(plan.units, { worker: Number(worker), numWorkers: Number(numWorkers) });
// This loads Beam's SDK, which takes up most of a pool worker's heap. The garbage collector adapts to the heap size, so it then
// behaves as in a pool worker.
installRepairs();
await decodeShare();
process.once("message", () => {
  void timedPasses().then((report) => process.send?.(report, () => process.disconnect()));
});
process.send?.("ready");

async function timedPasses(): Promise<WorkerReport> {
  const before = process.cpuUsage();
  let numRecords = 0;
  for (let pass = 0; pass < Number(passes); pass++) numRecords += await decodeShare();
  const { user, system } = process.cpuUsage(before);
  return { numRecords, cpuMilliseconds: (user + system) / 1000 };
}

async function decodeShare(): Promise<number> {
  let numRecords = 0;
  for (const unit of share) {
    for await (const batch of runUnit(plan, unit)) numRecords += batch.numRows;
  }
  return numRecords;
}
