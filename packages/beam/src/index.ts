export { decodeBatch, encodeBatch } from "./coders/batch-bytes.js";
export { beamSource, type BeamSourceOptions } from "./transforms/beam-source.js";
