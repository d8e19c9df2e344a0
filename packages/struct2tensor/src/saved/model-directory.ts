import { loadModel, type ModelRuntime, type QueryModel } from "../models/query-model.js";
import { modelId } from "../models/model-files.js";
import { malformed } from "./errors.js";

/** The folder of the models in a saved view: a folder for each, named by its id. */
export const MODELS_FOLDER = "models";

const MODEL_FILE = /^models\/([0-9a-f]{16})\/(?:model\.json|weights\.bin)$/u;

/** Names of the two files of a model in a saved view, sorted. */
export function modelFileNames(id: string): readonly [string, string] {
  return [`${MODELS_FOLDER}/${id}/model.json`, `${MODELS_FOLDER}/${id}/weights.bin`];
}

/** The ids of the models with a file among these names, sorted. */
export function modelIdsIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => MODEL_FILE.exec(name)?.[1] ?? []))].sort();
}

/** The files of these models by their names. */
export function filesOfModels(models: Iterable<QueryModel>): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const { id, files: content } of models) {
    const [model, weights] = modelFileNames(id);
    files.set(model, content.model).set(weights, content.weights);
  }
  return files;
}

/**
 * The models of a saved view by their ids, loaded.
 * @throws {RecordError} `malformed-payload`: `data-view`, `data-view-checksum` for a folder that is not named by its content,
 * `data-view-size`. {@link UnsupportedError} `unsupported` (`data-view-requires`) without a runtime for a model.
 */
export async function readModels(
  files: ReadonlyMap<string, Uint8Array>,
  runtime: ModelRuntime | undefined,
): Promise<ReadonlyMap<string, QueryModel>> {
  const models = new Map<string, QueryModel>();
  for (const id of modelIdsIn([...files.keys()])) {
    const [modelName, weightsName] = modelFileNames(id);
    const content = { model: files.get(modelName)!, weights: files.get(weightsName)! };
    if ((await modelId(content)) !== id) {
      throw malformed(modelName, "its folder must be named by the digest of the model", "data-view-checksum");
    }
    models.set(id, await loadModel(content, modelName, runtime));
  }
  return models;
}
