export { decodeBatch, encodeBatch } from "./coders/batch-bytes.js";
export { directRunner } from "./runner/direct-runner.js";
export type { PipelineRunner } from "./runner/pipeline-runner.js";
export {
  type DescribableDecoder,
  type PayloadRecords,
  recordsToBatches,
  type RecordsToBatchesOptions,
} from "./records/records-to-batches.js";
export type { DecoderDescription, PayloadModule } from "./records/record-decoding.js";
export { portableRunner, type PortableRunnerOptions } from "./runner/portable-runner.js";
export { beamSource, type BeamSourceOptions, rawRecordBeamSource } from "./transforms/beam-source.js";
export { writeBeam, type WriteBeamOptions } from "./transforms/write-beam.js";
