// Repairs to Beam's SDK for JavaScript. Worker processes and drivers that use the SDK directly must call `installRepairs` first.
export type { Repair } from "./repair.js";
export { installRepairs, repairs } from "./install-repairs.js";
export type { Sdk } from "./sdk.js";
