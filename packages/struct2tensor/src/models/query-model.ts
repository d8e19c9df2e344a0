import type { TensorFactory } from "@tfxio/tensor-adapter";
import { ConversionError, UnsupportedError } from "@tfxio/wire";
import { aFunction, aName, anObject, assertArgument, invalidArgument } from "@tfxio/wire/checks";
import type { Json } from "../expression/json.js";
import type { ModelSignature } from "./model-signature.js";
import { malformed } from "../saved/errors.js";
import {
  type ModelArtifacts,
  type ModelFiles,
  modelFiles,
  type ModelFormat,
  modelId,
  type ReadModel,
  readModelFiles,
  WEIGHTS_FILE,
} from "./model-files.js";
import { checkedLayers, checkGraph } from "./model-rules.js";

/** The members of a TensorFlow.js tensor that this package uses. */
export interface ModelTensor {
  readonly shape: readonly number[];
  readonly dtype: string;
  /** Identifies the values on the backend. Several tensors can share the same values. */
  readonly dataId: object;
  /** Returns the values. TensorFlow.js throws on backends that only read asynchronously, such as WebGPU. */
  dataSync(): ArrayLike<number>;
  dispose(): void;
}

/** The part of `tf.io.IOHandler` that TensorFlow.js uses to load a model. */
interface ModelHandler {
  load(): Promise<object>;
}

/** The members of a `tf.LayersModel` that are used to call a model. */
interface LoadedLayersModel {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  build?(): void;
  predict(inputs: ModelTensor[], options: { readonly batchSize: number }): ModelTensor | ModelTensor[];
  dispose(): unknown;
}

/** The members of a `tf.GraphModel` that are used to call a model. */
interface LoadedGraphModel {
  readonly inputNodes: readonly string[];
  readonly outputNodes: readonly string[];
  execute(inputs: Record<string, ModelTensor>, outputs: string[]): ModelTensor | ModelTensor[];
  dispose(): unknown;
}

/** The parts of TensorFlow.js that load and run models. `@tensorflow/tfjs` has those for LayersModels and GraphModels. */
export interface ModelRuntime {
  /** `@tensorflow/tfjs-core`, with a backend that reads results synchronously, such as cpu, wasm or native TensorFlow. */
  readonly tf: TensorFactory & { tidy(run: () => void): void };
  /** From `@tensorflow/tfjs-layers`. Required for a LayersModel. */
  readonly loadLayersModel?: ((handler: ModelHandler) => Promise<unknown>) | undefined;
  /** From `@tensorflow/tfjs-converter`. Required for a GraphModel. */
  readonly loadGraphModel?: ((handler: ModelHandler) => Promise<unknown>) | undefined;
  /**
   * The exports of `@tensorflow/tfjs-node` or `@tensorflow/tfjs-node-gpu`. Required for a SavedModel. Version 4.22 of these
   * packages encodes int64 inputs wrongly. `loadBackend` loads either package and corrects this encoding. So use the `module` of
   * its result, or pass its entire result as the runtime.
   */
  readonly module?: Readonly<Record<string, unknown>> | undefined;
  /**
   * URL of an ES module whose export `models` is this runtime or a function that returns it. Worker threads and other processes
   * import this module to load a decoder's models. Default: only this thread can load the models.
   */
  readonly url?: string | undefined;
}

/** A model that queries can call. Plans treat two models with equal files as the same model, because their ids are equal. */
export interface QueryModel {
  /** 16 hex digits of a SHA-256 over the model's files. */
  readonly id: string;
  readonly format: ModelFormat;
  readonly files: ModelFiles;
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** Types and shapes of the inputs and outputs of a SavedModel. Absent for TensorFlow.js models. */
  readonly signature?: ModelSignature | undefined;
  readonly tf: ModelRuntime["tf"];
  /** The `url` of the runtime. */
  readonly runtimeUrl?: string | undefined;
  /**
   * Calls the model. The caller disposes the input and output tensors.
   * @param inputs one tensor for each of `inputNames`, keyed by name.
   * @returns one tensor for each of `outputNames`, keyed by name.
   * @throws {ConversionError} `not-convertible` (`model-failed`), with the TensorFlow.js error as its cause.
   */
  run(inputs: ReadonlyMap<string, ModelTensor>): ReadonlyMap<string, ModelTensor>;
  /** Frees the weights. The model cannot run afterwards. */
  dispose(): void;
}

/**
 * Creates a model that queries can call. Training state is dropped. Only certain layers and operators are allowed.
 * @param artifacts the argument that TensorFlow.js passes to a save handler: `model.save(tf.io.withSaveHandler(...))`.
 * @throws {RecordError} `malformed-payload` (`data-view`) for weights that do not match their specs, are quantized or have an
 *   unsupported type, for layers or operators that are not allowed, and for a model that TensorFlow.js cannot load.
 * @throws {UnsupportedError} `unsupported` (`data-view-requires`) if the runtime has no function that loads this kind of model.
 */
export async function createQueryModel(
  artifacts: ModelArtifacts,
  runtime: ModelRuntime,
): Promise<QueryModel> {
  assertArgument("artifacts", artifacts, anObject);
  assertRuntime(runtime);
  return loadModel(modelFiles(artifacts), "model.json", runtime);
}

/** Checks the members of a runtime. @throws {ArgumentError} `invalid-argument`. */
export function assertRuntime(runtime: ModelRuntime): void {
  assertArgument("runtime", runtime, anObject);
  const { tf, loadLayersModel, loadGraphModel, module, url } = runtime;
  if (typeof tf?.tensor !== "function" || typeof tf.tidy !== "function") {
    throw invalidArgument("runtime.tf", "@tensorflow/tfjs-core", tf);
  }
  if (loadLayersModel !== undefined) assertArgument("runtime.loadLayersModel", loadLayersModel, aFunction);
  if (loadGraphModel !== undefined) assertArgument("runtime.loadGraphModel", loadGraphModel, aFunction);
  if (module !== undefined) assertArgument("runtime.module", module, anObject);
  if (url !== undefined) assertArgument("runtime.url", url, aName);
}

/**
 * Loads a TensorFlow.js model from untrusted files.
 * @param file path of `model.json`, for error messages.
 * @throws The errors of {@link createQueryModel}.
 */
export async function loadModel(
  files: ModelFiles,
  file: string,
  runtime: ModelRuntime | undefined,
): Promise<QueryModel> {
  const read = readModelFiles(files, file);
  const { format } = read;
  let topology: Json;
  try {
    topology = format === "layers-model" ? checkedLayers(read.topology) : read.topology;
    if (format === "graph-model") checkGraph(topology);
  } catch (cause) {
    throw malformed(file, (cause as Error).message, "data-view", cause);
  }
  const load = format === "layers-model" ? runtime?.loadLayersModel : runtime?.loadGraphModel;
  if (runtime === undefined || load === undefined) throw missingRuntime(format);
  const handler = { load: async () => artifactsOf(read, topology, files) };
  const id = await modelId(files);
  let loaded: unknown;
  try {
    loaded = await load(handler);
  } catch (cause) {
    throw malformed(file, `TensorFlow.js cannot load it: ${messageOf(cause)}`, "data-view", cause);
  }
  const callable = format === "layers-model" ? callLayers(loaded) : callGraph(loaded);
  return { id, format, files, tf: runtime.tf, runtimeUrl: runtime.url, ...callable };
}

/** Returns the artifacts that TensorFlow.js loads. The weights are copied. */
function artifactsOf(
  { format, weightSpecs, signature }: ReadModel,
  topology: Json,
  files: ModelFiles,
): object {
  return {
    format,
    modelTopology: topology,
    weightSpecs,
    weightData: files.get(WEIGHTS_FILE)!.slice().buffer,
    ...(signature !== null && { signature }),
  };
}

/** The members of a model that depend on its format. */
type Callable = Pick<QueryModel, "inputNames" | "outputNames" | "run" | "dispose">;

/** Creates the {@link Callable} members of a LayersModel, which takes its input tensors in the order of its input names. */
function callLayers(loaded: unknown): Callable {
  const model = loaded as LoadedLayersModel;
  // A Sequential model has no input names until it is built, and loading does not build it.
  if (model.inputNames.length === 0) model.build?.();
  const { inputNames, outputNames } = model;
  return {
    inputNames,
    outputNames,
    run: (inputs) =>
      named(outputNames, () => {
        const tensors = inputNames.map((name) => inputs.get(name)!);
        // By default, TensorFlow.js splits the rows into batches of 32.
        return model.predict(tensors, { batchSize: tensors[0]!.shape[0]! });
      }),
    dispose: () => void model.dispose(),
  };
}

/** Creates the {@link Callable} members of a GraphModel, which takes its input tensors by name. */
function callGraph(loaded: unknown): Callable {
  const model = loaded as LoadedGraphModel;
  const { inputNodes: inputNames, outputNodes: outputNames } = model;
  return {
    inputNames,
    outputNames,
    run: (inputs) => named(outputNames, () => model.execute(Object.fromEntries(inputs), [...outputNames])),
    dispose: () => void model.dispose(),
  };
}

/** Calls a model, and returns its outputs keyed by name. @param names names of the outputs, in the order of the results. */
function named(
  names: readonly string[],
  call: () => ModelTensor | ModelTensor[],
): ReadonlyMap<string, ModelTensor> {
  try {
    const tensors = [call()].flat();
    return new Map(names.map((name, index) => [name, tensors[index]!]));
  } catch (cause) {
    throw modelFailed(cause);
  }
}

/** Creates the error for a model that throws when it runs or when its outputs are read. */
export function modelFailed(cause: unknown): ConversionError {
  return new ConversionError("not-convertible", `The model failed: ${messageOf(cause)}`, {
    reason: "model-failed",
    cause,
  });
}

function missingRuntime(format: ReadModel["format"]): UnsupportedError {
  const [loader, from] =
    format === "layers-model"
      ? ["loadLayersModel", "@tensorflow/tfjs-layers"]
      : ["loadGraphModel", "@tensorflow/tfjs-converter"];
  return new UnsupportedError(
    `A ${format} needs a ModelRuntime with @tensorflow/tfjs-core as tf, and ${loader} from ${from}.`,
    { reason: "data-view-requires", feature: `a ${format}` },
  );
}

/** Returns the message of a thrown value. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
