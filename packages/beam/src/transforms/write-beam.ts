import type { PCollection, Root } from "apache-beam/pvalue";
import type { AsyncPTransform } from "apache-beam/transforms/transform";
import { describeRead, type Tfxio } from "@tfxio/io";
import { aName, anObject, aPositiveInteger, assertArgument, assertOptions } from "@tfxio/wire/checks";
import { planUnits } from "../plan/plan-units.js";
import { beamRuntime } from "./beam-runtime.js";
import type { BeamSourceOptions } from "./beam-source.js";
import { listUnits } from "./list-units.js";
import { PublishShards, WriteUnits } from "./write-units.js";

/** Options of {@link writeBeam}. */
export interface WriteBeamOptions extends BeamSourceOptions {
  /** Id of the format. Default: the format that the target's file extension indicates. */
  readonly format?: string | undefined;
  /** Options of the format. They must be JSON values. */
  readonly formatOptions?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Creates a transform that writes all rows of a TFXIO in any writable format, one shard per unit of work:
 * `await root.applyAsync(writeBeam(tfxio, "out.parquet"))`. A unit may be retried, because every attempt writes the same rows
 * under the same name. When all shards are complete, their list is written to `<target>.manifest.json`. The resulting collection
 * has one element, the manifest as JSON. Read the output through the manifest, because a glob would also match the shards of
 * unfinished jobs.
 *
 * Metrics: the counters `num_written_rows` and `num_shards`.
 * @throws {ArgumentError} `invalid-argument` for invalid arguments. Also throws the errors of `beamSource` and, in the workers,
 *   those of `writeUnit` and `publishManifest`.
 */
export function writeBeam(
  tfxio: Tfxio,
  target: string,
  options: WriteBeamOptions = {},
): AsyncPTransform<Root, PCollection<string>> {
  assertArgument("target", target, aName);
  assertOptions("writeBeam", options, {
    unitBytes: aPositiveInteger,
    format: aName,
    formatOptions: anObject,
  });
  const { format, formatOptions, unitBytes } = options;
  const description = describeRead(tfxio);
  const { sdk } = beamRuntime();
  const { counter, impulse, parDo, withName } = sdk.transforms;
  const metrics = { rows: counter("num_written_rows"), shards: counter("num_shards") };
  const text = new sdk.coders.StrUtf8Coder();
  const entries = new sdk.requiredCoders.KVCoder(text, text);
  return withName("TfxioWrite", async (root: Root) => {
    const plan = await planUnits(description, { unitBytes });
    const write = await WriteUnits.of(plan.description, { target, format, formatOptions });
    const publish = new PublishShards(`${target}.manifest.json`, plan.units.length);
    const units = await root.applyAsync(listUnits(sdk, plan.units));
    // Without units, groupByKey would yield no group, and so no manifest.
    const shards =
      plan.units.length === 0
        ? root.apply(impulse())
        : units
            .apply(withName("Write", parDo(write as never, metrics)))
            .apply(withName("Shards", sdk.internal.withCoderInternal(entries)))
            .apply(withName("All", sdk.internal.groupByKey()));
    return shards
      .apply(withName("Publish", parDo(publish as never)))
      .apply(withName("Manifest", sdk.internal.withCoderInternal(text))) as PCollection<string>;
  });
}
