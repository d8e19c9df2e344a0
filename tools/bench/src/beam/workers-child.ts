// A worker of `bench beam`: node workers-child.js PLAN WORKER NUM_WORKERS. Loads its share of the units and says that it is ready. Decodes
// them when told to, and reports what that took.
import { readFileSync } from "node:fs";
import { runUnit, type UnitPlan, unitsOfWorker } from "@tfxio/beam/plan";
import type { WorkerReport } from "./workers.js";

const [planFile = "", worker = "", numWorkers = ""] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, "utf8")) as UnitPlan;
const share = unitsOfWorker(plan.units, { worker: Number(worker), numWorkers: Number(numWorkers) });
process.once("message", () => {
  void decodeShare().then((report) => process.send?.(report, () => process.disconnect()));
});
process.send?.("ready");

async function decodeShare(): Promise<WorkerReport> {
  const before = process.cpuUsage();
  let numRecords = 0;
  for (const unit of share) {
    for await (const batch of runUnit(plan, unit)) numRecords += batch.numRows;
  }
  const { user, system } = process.cpuUsage(before);
  return { numRecords, cpuMilliseconds: (user + system) / 1000 };
}
