import type { Coder } from "apache-beam/coders/coders";
import type { RecordBatch } from "apache-arrow";
import { installRepairs } from "../compat/install-repairs.js";
import type { Sdk } from "../compat/sdk.js";
import { EncodeBatches } from "./encode-batches.js";
import { BatchRecords } from "../records/batch-records.js";
import { ListUnits } from "./list-units.js";
import { ReadRawRecords } from "./read-raw-records.js";
import { ReadUnits } from "./read-units.js";
import { PublishShards, WriteUnits } from "./write-units.js";
import { recordBatchCoder } from "./record-batch-coder.js";

/** The repaired SDK, in which our classes and our coder are registered. */
export interface BeamRuntime {
  readonly sdk: Sdk;
  /** The coder of record batches. */
  readonly coder: Coder<RecordBatch>;
}

let runtime: BeamRuntime | undefined;

/**
 * Prepares a driver or a worker: repairs the SDK, and registers our classes, because pipelines refer to them by name. Later calls
 * return the same runtime.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`) without the SDK.
 */
export function beamRuntime(): BeamRuntime {
  if (runtime === undefined) {
    const sdk = installRepairs();
    sdk.registry.requireForSerialization("@tfxio/beam", {
      EncodeBatches,
      BatchRecords,
      ListUnits,
      PublishShards,
      ReadRawRecords,
      ReadUnits,
      WriteUnits,
    });
    runtime = { sdk, coder: recordBatchCoder(sdk) };
  }
  return runtime;
}
