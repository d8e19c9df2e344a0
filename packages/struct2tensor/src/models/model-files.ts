import { isObject } from "@tfxio/wire/checks";
import type { Json } from "../expression/json.js";
import { canonicalJson } from "../saved/canonical-json.js";
import { sha256 } from "../saved/digest.js";
import { malformed } from "../saved/errors.js";
import { listIn, membersIn, objectIn, readJsonFile, textIn } from "../saved/read-json.js";

/** Kinds of models. The first two are TensorFlow.js formats. */
export type ModelFormat = "layers-model" | "graph-model" | "saved-model";

/** A weight: float32, int32 or bool, not quantized. */
export interface WeightSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: "float32" | "int32" | "bool";
}

/** The parts of a TensorFlow.js model that are saved with a data view: a subset of `tf.io.ModelArtifacts`. */
export interface ModelArtifacts {
  readonly format?: string | undefined;
  /** JSON of a LayersModel's layers or of a `GraphDef`. */
  readonly modelTopology?: object | undefined;
  readonly weightSpecs?: readonly object[] | undefined;
  /** The concatenated weights, in the order of `weightSpecs`. */
  readonly weightData?: ArrayBuffer | readonly ArrayBuffer[] | undefined;
  /** Names and types of a GraphModel's inputs and outputs. */
  readonly signature?: object | undefined;
}

/**
 * The files of a model, keyed by their paths in its directory. A TensorFlow.js model has `model.json`, as canonical JSON, and
 * `weights.bin`. TensorFlow.js can load these two files. A SavedModel has `saved_model.pb` and files in `variables/`. A
 * {@link QueryModel} of a SavedModel also has `model.json`, with its signature.
 */
export type ModelFiles = ReadonlyMap<string, Uint8Array>;

/** The checked content of a TensorFlow.js model's files. */
export interface ReadModel {
  readonly format: Exclude<ModelFormat, "saved-model">;
  readonly topology: Json;
  readonly weightSpecs: readonly WeightSpec[];
  readonly signature: Json;
}

/** The file with the topology and the specs of the weights. */
export const MODEL_FILE = "model.json";
/** The file with all weights, concatenated in the order of their specs. */
export const WEIGHTS_FILE = "weights.bin";
// Limits on untrusted files. TensorFlow.js supports tensors of rank 0 to 6.
const MAX_WEIGHTS = 65_536;
const MAX_RANK = 6;
const bytesOfDType: Readonly<Record<WeightSpec["dtype"], number>> = { float32: 4, int32: 4, bool: 1 };

/**
 * Returns the files of a TensorFlow.js model. Training state, metadata and the name of the program that saved the model are left
 * out.
 */
export function modelFiles(artifacts: ModelArtifacts): ModelFiles {
  const { format = "layers-model", modelTopology, weightSpecs = [], weightData = [], signature } = artifacts;
  const json = {
    format,
    // JSON drops members that are undefined, as TensorFlow.js does when it saves.
    modelTopology: JSON.parse(JSON.stringify(modelTopology ?? null)) as Json,
    signature: JSON.parse(JSON.stringify(signature ?? null)) as Json,
    weightsManifest: [{ paths: [WEIGHTS_FILE], weights: weightSpecs.map(plainSpec) }],
  };
  return new Map([
    [MODEL_FILE, new TextEncoder().encode(canonicalJson(json))],
    [WEIGHTS_FILE, joined(weightData)],
  ]);
}

/**
 * Computes the id of a TensorFlow.js model: the first 16 hex digits of a SHA-256 over the SHA-256 digests of `model.json` and
 * `weights.bin`.
 */
export async function modelId(files: ModelFiles): Promise<string> {
  const digestOf = (name: string): Promise<string> => sha256(files.get(name)!);
  return (await sha256(`${await digestOf(MODEL_FILE)} ${await digestOf(WEIGHTS_FILE)}`)).slice(0, 16);
}

/**
 * Reads the untrusted files of a TensorFlow.js model. The types and shapes of the weights must account for every byte of
 * `weights.bin`.
 * @throws {RecordError} `malformed-payload`: `data-view`, `data-view-size`.
 */
export function readModelFiles(files: ModelFiles, file: string): ReadModel {
  const weights = files.get(WEIGHTS_FILE)!;
  const json = membersIn(file, "the model", readJsonFile(file, files.get(MODEL_FILE)!), [
    "format",
    "modelTopology",
    "signature",
    "weightsManifest",
  ]);
  const { format, modelTopology, signature, weightsManifest } = json;
  if (format !== "layers-model" && format !== "graph-model") {
    throw malformed(
      file,
      `its format must be "layers-model" or "graph-model", found ${canonicalJson(format)}`,
    );
  }
  objectIn(file, "modelTopology", modelTopology);
  const [group] = listIn(file, "weightsManifest", weightsManifest, 1);
  const { paths, weights: specs } = membersIn(file, "weightsManifest[0]", group, ["paths", "weights"]);
  if (canonicalJson(paths) !== canonicalJson([WEIGHTS_FILE])) {
    throw malformed(file, `the weights must be in ${WEIGHTS_FILE} alone`);
  }
  const weightSpecs = listIn(file, "weights", specs, MAX_WEIGHTS).map((spec, index) =>
    readSpec(file, spec, index),
  );
  const numBytes = weightSpecs.reduce((sum, spec) => sum + bytesOf(spec), 0);
  if (numBytes !== weights.length) {
    throw malformed(file, `its weights take ${numBytes} bytes, but ${WEIGHTS_FILE} has ${weights.length}`);
  }
  return { format, topology: modelTopology, weightSpecs, signature };
}

function readSpec(file: string, json: Json, index: number): WeightSpec {
  const what = `weights[${index}]`;
  const { name, shape, dtype } = membersIn(file, what, json, ["dtype", "name", "shape"]);
  const isShape = listIn(file, `${what}.shape`, shape, MAX_RANK).every(
    (size) => Number.isSafeInteger(size) && (size as number) >= 0,
  );
  if (!isShape) throw malformed(file, `${what}.shape must be a list of sizes`);
  if (typeof dtype !== "string" || !Object.hasOwn(bytesOfDType, dtype)) {
    throw malformed(file, `${what}.dtype must be float32, int32 or bool, found ${canonicalJson(dtype)}`);
  }
  return {
    name: textIn(file, `${what}.name`, name),
    shape: shape as readonly number[],
    dtype: dtype as WeightSpec["dtype"],
  };
}

/** Returns the number of bytes of a weight in the weights file. */
function bytesOf({ shape, dtype }: WeightSpec): number {
  return shape.reduce((product, size) => product * size, bytesOfDType[dtype]);
}

/** Returns the members of a spec that are saved. A quantized weight keeps `quantization`, so that reading rejects it. */
function plainSpec(spec: object): Json {
  const { name, shape, dtype, quantization } = spec as Readonly<Record<string, Json>>;
  return { name: name!, shape: shape!, dtype: dtype!, ...(quantization !== undefined && { quantization }) };
}

/** Concatenates the weights. TensorFlow.js passes one buffer or several. */
function joined(data: ArrayBuffer | readonly ArrayBuffer[]): Uint8Array {
  const parts =
    isObject(data) && !Array.isArray(data) ? [data as ArrayBuffer] : (data as readonly ArrayBuffer[]);
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return bytes;
}
