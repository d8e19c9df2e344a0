import type { ExpansionRequest, ExpansionResponse } from "apache-beam/proto/beam_expansion_api";
import type { PCollection, Root } from "apache-beam/pvalue";
import { unusableArgument } from "@tfxio/wire/checks";
import { assignWorkerPool } from "../runner/worker-environments.js";
import { beamRuntime } from "../transforms/beam-runtime.js";
import { beamSource, rawRecordBeamSource } from "../transforms/beam-source.js";
import { EncodeBatches } from "../transforms/encode-batches.js";
import { openConfigured, parseConfiguration, type ReadConfiguration } from "./read-configuration.js";

/** URN of the transform that yields record batches, each encoded as an Arrow IPC stream. */
const READ_BATCHES = "tfxio:transform:read:v1";
/** URN of the transform that reads serialized records. */
const READ_RECORDS = "tfxio:transform:read_records:v1";

/**
 * Expands one of our transforms for a pipeline in another language. The elements of the result are bytes with Beam's standard
 * coder.
 * @param workerPool `host:port` of the worker pool that runs the transform.
 * @throws {ArgumentError} `invalid-argument` for an unknown URN or an invalid payload. Also throws the errors of opening and
 *   planning the data.
 */
export async function expandRead(
  { transform, namespace }: Pick<ExpansionRequest, "transform" | "namespace">,
  workerPool: string,
): Promise<Pick<ExpansionResponse, "components" | "transform">> {
  const { sdk } = beamRuntime();
  const { uniqueName = "", spec } = transform ?? {};
  const urn = spec?.urn ?? "";
  if (urn !== READ_BATCHES && urn !== READ_RECORDS) {
    throw unusableArgument("urn", `must be ${READ_BATCHES} or ${READ_RECORDS}, found "${urn}"`);
  }
  const configuration = parseConfiguration(spec?.payload ?? new Uint8Array());
  const pipeline = new sdk.pipeline.Pipeline(namespace);
  const read = urn === READ_BATCHES ? readBatches : readRecords;
  await new sdk.pvalue.Root(pipeline).applyAsync(
    sdk.transforms.withName(uniqueName, (root: Root) => read(root, configuration)),
  );
  const { components, rootTransformIds } = pipeline.getProto();
  const [id = ""] = rootTransformIds;
  const transforms = components?.transforms ?? {};
  const expanded = transforms[id];
  // The caller inserts the outermost transform itself, under a name of its choice.
  delete transforms[id];
  assignWorkerPool(sdk, components?.environments ?? {}, workerPool);
  return { ...(components && { components }), ...(expanded && { transform: expanded }) };
}

async function readBatches(root: Root, configuration: ReadConfiguration): Promise<PCollection<Uint8Array>> {
  const { sdk } = beamRuntime();
  const { parDo, withName } = sdk.transforms;
  const tfxio = await openConfigured(configuration);
  try {
    const batches = await root.applyAsync(beamSource(tfxio, { unitBytes: configuration.unitBytes }));
    return batches
      .apply(withName("Encode", parDo(new EncodeBatches() as never)))
      .apply(
        withName("Bytes", sdk.internal.withCoderInternal(new sdk.requiredCoders.BytesCoder())),
      ) as PCollection<Uint8Array>;
  } finally {
    await tfxio.close();
  }
}

async function readRecords(root: Root, configuration: ReadConfiguration): Promise<PCollection<Uint8Array>> {
  const tfxio = await openConfigured(configuration);
  try {
    return await root.applyAsync(rawRecordBeamSource(tfxio, { unitBytes: configuration.unitBytes }));
  } finally {
    await tfxio.close();
  }
}
