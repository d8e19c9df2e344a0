import type { Coder } from "apache-beam/coders/coders";
import type { PCollection, Root } from "apache-beam/pvalue";
import type { AsyncPTransform } from "apache-beam/transforms/transform";
import { describeRead, type ReadDescription, type Tfxio } from "@tfxio/io";
import { aPositiveInteger, assertOptions, type OptionRules } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { planUnits } from "../plan/plan-units.js";
import { beamRuntime } from "./beam-runtime.js";
import { listUnits } from "./list-units.js";
import { batchMetrics, recordMetrics } from "./metrics.js";
import { ReadRawRecords } from "./read-raw-records.js";
import { ReadUnits } from "./read-units.js";

/** Options of {@link beamSource} and {@link rawRecordBeamSource}. */
export interface BeamSourceOptions {
  /** Target size of a unit of work, in stored bytes. Default 64 MiB. See `planUnits`. */
  readonly unitBytes?: number | undefined;
}

const RULES: OptionRules<BeamSourceOptions> = { unitBytes: aPositiveInteger };

/**
 * Creates a transform that reads all rows of a TFXIO as record batches: `await root.applyAsync(beamSource(tfxio))`. The driver
 * plans units of work, and the workers read them. Batches depend only on the units, so a retried unit yields the same elements.
 * The TFXIO may also come from `recordToTensorTfxio`, which reads files with a saved query.
 *
 * Metrics: the distributions `num_rows` (rows of each batch) and `record_batch_byte_size`, as in tfx_bsl, and the counter
 * `num_skipped_records`.
 * @throws {ArgumentError} `invalid-argument` for invalid arguments. Applying the transform also throws the errors of `planUnits`.
 * @throws {UnsupportedError} `unsupported` (`worker-source`, `worker-format`, `worker-options`) for data that only this process
 *   can read, such as Blobs, and `unsupported` (`beam-sdk`) without the SDK.
 * @see RFC 162, "BeamSource"
 */
export function beamSource(
  tfxio: Tfxio,
  options: BeamSourceOptions = {},
): AsyncPTransform<Root, PCollection<RecordBatch>> {
  assertOptions("beamSource", options, RULES);
  const { sdk, coder } = beamRuntime();
  return source(tfxio, options, {
    name: "TfxioSource",
    doFnOf: ReadUnits.of,
    metrics: batchMetrics(sdk),
    coder,
  });
}

/**
 * Creates a transform that reads the serialized records of a TFXIO as `Uint8Array`s. Their coder is the standard bytes coder, so
 * transforms in other languages can read them. The format still checks that each record is a valid message. To read arbitrary
 * records, open TFRecords with `format: "tfrecord-raw"`.
 *
 * Metrics, under tfx_bsl's names: the counter `num_raw_records` and the distribution `raw_record_byte_size`.
 * @throws the errors of {@link beamSource}.
 * @throws {UnsupportedError} `unsupported` (`undeclared-request`) for a format without records, such as Parquet. Thrown in the
 *   workers.
 * @see RFC 162, "RawRecordBeamSource"
 */
export function rawRecordBeamSource(
  tfxio: Tfxio,
  options: BeamSourceOptions = {},
): AsyncPTransform<Root, PCollection<Uint8Array>> {
  assertOptions("rawRecordBeamSource", options, RULES);
  const { sdk } = beamRuntime();
  return source(tfxio, options, {
    name: "TfxioRawRecords",
    doFnOf: ReadRawRecords.of,
    metrics: recordMetrics(sdk),
    coder: new sdk.requiredCoders.BytesCoder(),
  });
}

/** The parts in which the two sources differ. */
interface SourceParts<Element> {
  readonly name: string;
  readonly doFnOf: (description: ReadDescription) => Promise<object>;
  readonly metrics: object;
  readonly coder: Coder<Element>;
}

function source<Element>(
  tfxio: Tfxio,
  options: BeamSourceOptions,
  { name, doFnOf, metrics, coder }: SourceParts<Element>,
): AsyncPTransform<Root, PCollection<Element>> {
  const description = describeRead(tfxio);
  const { sdk } = beamRuntime();
  const { parDo, withName } = sdk.transforms;
  return withName(name, async (root: Root) => {
    const plan = await planUnits(description, options);
    const doFn = await doFnOf(plan.description);
    const units = await root.applyAsync(listUnits(sdk, plan.units));
    return units
      .apply(withName("Read", parDo(doFn as never, metrics)))
      .apply(withName("Elements", sdk.internal.withCoderInternal(coder))) as PCollection<Element>;
  });
}
