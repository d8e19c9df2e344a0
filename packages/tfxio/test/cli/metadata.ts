import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Component, openMetadataStore, publishExamples, runComponent } from "@tfxio/artifacts";

/** A component that creates a model from Examples. */
const trainer: Component = {
  type: "Trainer",
  inputs: { examples: { type: "Examples" } },
  outputs: { model: { name: "Model", baseType: "mlmd.Model" } },
  async run({ outputs: { model } }) {
    writeFileSync(path.join(model?.uri ?? "", "weights.json"), "[0.5]");
    return { model: { customProperties: { loss: 0.25, steps: 9007199254740993n } } };
  },
};

/**
 * Creates a store in `metadata.sqlite` with the library, not the command, and returns the path of the store. The artifacts
 * with ids 1 and 2 are Examples of spans 1 and 2. Artifact 3 is a Model that a Trainer, execution 1, made from artifact 2. The
 * files of the artifacts are below `pipeline`.
 */
export async function writeMetadataStore(folder: string): Promise<string> {
  const file = path.join(folder, "metadata.sqlite");
  const store = await openMetadataStore(file, { access: "create" });
  const root = path.join(folder, "pipeline");
  const [, second] = [1, 2].map((span) => {
    const uri = path.join(root, "examples", String(span));
    mkdirSync(path.join(uri, "Split-train"), { recursive: true });
    writeFileSync(path.join(uri, "Split-train", "data_tfrecord-00000-of-00001"), "");
    return publishExamples(store, { uri, splitNames: ["train"], span });
  });
  if (second === undefined) throw new Error("no examples");
  await runComponent(store, trainer, {
    pipelineRoot: root,
    pipeline: "taxi",
    run: "monday",
    inputs: { examples: [second] },
  });
  store.close();
  return file;
}
