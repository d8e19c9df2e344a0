import { SourceError, UnsupportedError } from "@tfxio/wire";
import { aName, assertArgument, assertOptions, isObject, membersOf, rule } from "@tfxio/wire/checks";
import { malformed } from "../saved/errors.js";
import type { ModelFiles } from "./model-files.js";
import type { ModelSignature } from "./model-signature.js";
import {
  assertRuntime,
  messageOf,
  type ModelRuntime,
  type ModelTensor,
  modelFailed,
  type QueryModel,
} from "./query-model.js";
import {
  GRAPH_FILE,
  isSavedModelFile,
  readSavedModelSignature,
  savedModelFiles,
  savedModelId,
} from "./saved-model-files.js";
import { SERVE } from "./saved-model-graph.js";

/** Options of {@link createSavedQueryModel}. */
export interface SavedQueryModelOptions {
  /** Name of the signature to call. Default `"serving_default"`, as in TensorFlow Serving. */
  readonly signature?: string | undefined;
}

/** The members of tfjs-node's `TFSavedModel` that are used to call a model. */
interface LoadedSavedModel {
  predict(inputs: Readonly<Record<string, ModelTensor>>): Readonly<Record<string, ModelTensor>>;
  dispose(): void;
}

/** The part of tfjs-node that loads SavedModels. */
interface NativeModels {
  loadSavedModel(folder: string, tags: string[], signature: string): Promise<LoadedSavedModel>;
}

/**
 * Creates a model from a signature of a TensorFlow SavedModel, for queries to call. The model runs in native TensorFlow. Its
 * inputs and outputs are float32, int32, int64 (exact), bool or string (bytes). Only certain operators are allowed. None of them
 * loops or generates random numbers. The model reads no files except its variables, so a vocabulary must be in the graph, not in
 * an asset.
 * @param files the files of the model, keyed by path. `readSavedModel` of `@tfxio/struct2tensor/directory` reads them from disk.
 * @throws {RecordError} `malformed-payload` (`data-view`) if the files are not a SavedModel with this signature, use operators
 *   that are not allowed, or cannot be loaded by TensorFlow; (`data-view-files`) if `saved_model.pb` is missing.
 * @throws {UnsupportedError} `unsupported` (`data-view-requires`) if the runtime lacks tfjs-node.
 * @throws {SourceError} `io-failed` (`file`) if the model cannot be written to the temporary directory from which TensorFlow
 *   loads it.
 */
export async function createSavedQueryModel(
  files: ModelFiles,
  runtime: ModelRuntime,
  options: SavedQueryModelOptions = {},
): Promise<QueryModel> {
  assertArgument("files", files, aMapOfFiles);
  assertRuntime(runtime);
  assertOptions<SavedQueryModelOptions>("createSavedQueryModel", options, { signature: aName });
  return loadSavedModel(savedModelFiles(files, options.signature ?? "serving_default"), "", runtime);
}

const aMapOfFiles = rule("a Map of Uint8Arrays", (value) => {
  return value instanceof Map && [...value.values()].every((bytes) => bytes instanceof Uint8Array);
});

/**
 * Loads a SavedModel from untrusted files in the layout of {@link savedModelFiles}.
 * @param folder prefix of paths in error messages: the model's folder in a view, ending with a slash, or empty.
 * @throws The errors of {@link createSavedQueryModel}.
 */
export async function loadSavedModel(
  files: ModelFiles,
  folder: string,
  runtime: ModelRuntime | undefined,
): Promise<QueryModel> {
  const signature = readSavedModelSignature(files, folder);
  const native = nativeModelsOf(runtime);
  const loaded = await fromTemporaryFolder(files, (directory) =>
    native.loadSavedModel(directory, [SERVE], signature.name).catch((cause: unknown) => {
      const problem = `TensorFlow cannot load it: ${messageOf(cause)}`;
      throw malformed(`${folder}${GRAPH_FILE}`, problem, "data-view", cause);
    }),
  );
  return {
    id: await savedModelId(files),
    format: "saved-model",
    files,
    signature,
    inputNames: signature.inputs.map(({ name }) => name),
    outputNames: signature.outputs.map(({ name }) => name),
    tf: runtime!.tf,
    runtimeUrl: runtime!.url,
    run: (inputs) => predict(loaded, signature, inputs),
    dispose: () => loaded.dispose(),
  };
}

function predict(
  loaded: LoadedSavedModel,
  { outputs }: ModelSignature,
  inputs: ReadonlyMap<string, ModelTensor>,
): ReadonlyMap<string, ModelTensor> {
  try {
    const results = loaded.predict(Object.fromEntries(inputs));
    return new Map(outputs.map(({ name }) => [name, results[name]!]));
  } catch (cause) {
    throw modelFailed(cause);
  }
}

/** Returns the loader of tfjs-node. @throws {UnsupportedError} `unsupported` (`data-view-requires`) if the runtime lacks it. */
function nativeModelsOf(runtime: ModelRuntime | undefined): NativeModels {
  const { node } = membersOf(runtime?.module);
  if (isObject(node) && typeof membersOf(node)["loadSavedModel"] === "function") return node as NativeModels;
  const given = runtime?.module === undefined ? "" : " The given module has no node.loadSavedModel.";
  throw new UnsupportedError(
    `A SavedModel needs native TensorFlow.${given} Install @tensorflow/tfjs-node, and pass the result of loadBackend({ prefer: "tfjs-node" }) as the ModelRuntime.`,
    { reason: "data-view-requires", feature: "a saved-model" },
  );
}

/**
 * Writes the files into a new directory that only this user can access, so no other user can replace a checked file before
 * TensorFlow reads it. TensorFlow reads every file while it loads the model, so the directory is removed after `load`.
 */
async function fromTemporaryFolder<Result>(
  files: ModelFiles,
  load: (folder: string) => Promise<Result>,
): Promise<Result> {
  const { mkdir, mkdtemp, rm, writeFile } = process.getBuiltinModule("node:fs/promises");
  const { tmpdir } = process.getBuiltinModule("node:os");
  const path = process.getBuiltinModule("node:path");
  const prefix = path.join(tmpdir(), "tfxio-model-");
  const fail = (cause: unknown): never => {
    const problem = `The SavedModel cannot be written to a temporary directory: ${messageOf(cause)}`;
    throw new SourceError("io-failed", problem, { reason: "file", uri: prefix, cause });
  };
  const folder = await mkdtemp(prefix).catch(fail);
  try {
    // TensorFlow requires this folder even for a model without variables.
    await mkdir(path.join(folder, "variables")).catch(fail);
    for (const [name, bytes] of files) {
      if (isSavedModelFile(name)) await writeFile(path.join(folder, name), bytes).catch(fail);
    }
    return await load(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
