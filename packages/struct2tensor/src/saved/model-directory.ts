import { MODEL_FILE, type ModelFiles, modelId, WEIGHTS_FILE } from "../models/model-files.js";
import { loadModel, type ModelRuntime, type QueryModel } from "../models/query-model.js";
import { loadSavedModel } from "../models/saved-model.js";
import { GRAPH_FILE, isSavedModelFile, savedModelId, SIGNATURE_FILE } from "../models/saved-model-files.js";
import { malformed } from "./errors.js";

/**
 * The two model folders of a saved view, with the required files of each model. In these folders, each model has a subfolder that
 * is named after its id.
 */
export const MODEL_FOLDERS: Readonly<Record<ModelFolder, readonly string[]>> = {
  models: [MODEL_FILE, WEIGHTS_FILE],
  saved_models: [SIGNATURE_FILE, GRAPH_FILE],
};

type ModelFolder = "models" | "saved_models";

const MODEL_PATH = /^(models|saved_models)\/([0-9a-f]{16})\/(.+)$/u;

/** The location of a model's file in a saved view. */
interface ModelPlace {
  readonly folder: ModelFolder;
  readonly id: string;
  /** Path in the model's folder. */
  readonly name: string;
}

/** Returns the location of a model's file. Undefined for other paths, and for files that models cannot have. */
export function modelPlaceOf(path: string): ModelPlace | undefined {
  const [, folder, id, name] = MODEL_PATH.exec(path) ?? [];
  if (id === undefined || name === undefined) return undefined;
  const isKnown = folder === "models" ? name === MODEL_FILE || name === WEIGHTS_FILE : isSavedName(name);
  return isKnown ? { folder: folder as ModelFolder, id, name } : undefined;
}

function isSavedName(name: string): boolean {
  return name === SIGNATURE_FILE || isSavedModelFile(name);
}

/** Returns the model files among these paths, and the required files of the same models. */
export function modelPathsFor(paths: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const path of paths) {
    const place = modelPlaceOf(path);
    if (place === undefined) continue;
    const { folder, id } = place;
    found.add(path);
    for (const name of MODEL_FOLDERS[folder]) found.add(`${folder}/${id}/${name}`);
  }
  return found;
}

/** Returns the files of these models, keyed by path in a saved view. The bytes are not copied. */
export function filesOfModels(models: Iterable<QueryModel>): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const { id, format, files } of models) {
    const folder: ModelFolder = format === "saved-model" ? "saved_models" : "models";
    for (const [name, bytes] of files) found.set(`${folder}/${id}/${name}`, bytes);
  }
  return found;
}

/**
 * Loads the models of a saved view. Returns them keyed by id.
 * @throws {RecordError} `malformed-payload`: `data-view`, `data-view-files` or `data-view-size`; `data-view-checksum` for a
 *   folder name that does not match the model's digest.
 * @throws {UnsupportedError} `unsupported` (`data-view-requires`) if the runtime cannot load a model.
 */
export async function readModels(
  files: ReadonlyMap<string, Uint8Array>,
  runtime: ModelRuntime | undefined,
): Promise<ReadonlyMap<string, QueryModel>> {
  const found = new Map<string, { readonly place: ModelPlace; readonly content: Map<string, Uint8Array> }>();
  for (const path of [...files.keys()].sort()) {
    const place = modelPlaceOf(path);
    if (place === undefined) continue;
    const key = `${place.folder}/${place.id}`;
    const model = found.get(key) ?? { place, content: new Map() };
    model.content.set(place.name, files.get(path)!);
    found.set(key, model);
  }
  const models = new Map<string, QueryModel>();
  for (const { place, content } of found.values())
    models.set(place.id, await readModel(place, content, runtime));
  return models;
}

/** Loads one model, whose digest must be the name of its folder. */
async function readModel(
  { folder, id }: ModelPlace,
  content: ModelFiles,
  runtime: ModelRuntime | undefined,
): Promise<QueryModel> {
  const isSaved = folder === "saved_models";
  const file = `${folder}/${id}/${MODEL_FILE}`;
  if ((await (isSaved ? savedModelId(content) : modelId(content))) !== id) {
    throw malformed(file, "its folder must be named after the digest of the model", "data-view-checksum");
  }
  return isSaved ? loadSavedModel(content, `${folder}/${id}/`, runtime) : loadModel(content, file, runtime);
}
