// Units of a read, for any engine that distributes work: a queue, an indexed job, or Beam. No module here imports Beam.
export type { OpenUnitsOptions, PlanUnitsOptions, UnitPlan } from "./plan-units.js";
export { planUnits } from "./plan-units.js";
export { type RunUnitOptions, runUnit, type UnitProgress } from "./run-unit.js";
export type { Unit, WorkerShare } from "./unit.js";
export { unitsOfWorker } from "./unit.js";
export type { ManifestOptions, ShardManifest } from "./manifest.js";
export { publishManifest, readManifest } from "./manifest.js";
export type { WrittenShard, WriteUnitOptions } from "./write-unit.js";
export { writeUnit } from "./write-unit.js";
