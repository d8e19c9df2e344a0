import type { PCollection, Root } from "apache-beam/pvalue";
import type { AsyncPTransform } from "apache-beam/transforms/transform";
import { describeRead, type Tfxio } from "@tfxio/io";
import { aPositiveInteger, assertOptions } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { planUnits } from "../plan/plan-units.js";
import { beamRuntime } from "./beam-runtime.js";
import { ReadUnits } from "./read-units.js";

/** Options of {@link beamSource}. */
export interface BeamSourceOptions {
  /** Wanted stored bytes of a unit of work. Default 64 MiB. See `planUnits`. */
  readonly unitBytes?: number | undefined;
}

/**
 * A transform that reads all rows of a TFXIO as record batches: `await root.applyAsync(beamSource(tfxio))`. The driver plans
 * units of work, the workers read them. Batches depend on the units alone, so a retried unit gives the same elements.
 *
 * Counters: `numRows`, `numBatches`, and the distribution `batchRows`.
 * @throws {UnsupportedError} `unsupported` (`worker-source`, `worker-format`, `worker-options`) for data that only this process
 * can read, such as Blobs; (`beam-sdk`) without the SDK.
 * @see RFC 162, "BeamSource"
 */
export function beamSource(
  tfxio: Tfxio,
  options: BeamSourceOptions = {},
): AsyncPTransform<Root, PCollection<RecordBatch>> {
  assertOptions("beamSource", options, { unitBytes: aPositiveInteger });
  const description = describeRead(tfxio);
  const { sdk, coder } = beamRuntime();
  const { create, counter, distribution, parDo, withName } = { ...sdk.transforms };
  return withName("TfxioSource", async (root: Root) => {
    const plan = await planUnits(description, options);
    const units = plan.units.map((unit) => JSON.stringify(unit));
    const metrics = {
      numRows: counter("numRows"),
      numBatches: counter("numBatches"),
      batchRows: distribution("batchRows"),
    };
    return root
      .apply(withName("Units", create(units)))
      .apply(withName("Read", parDo(new ReadUnits(plan.description) as never, metrics)))
      .apply(sdk.internal.withCoderInternal(coder)) as PCollection<RecordBatch>;
  });
}
