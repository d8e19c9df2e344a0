import type { Json } from "../expression/json.js";
import { canonicalJson } from "../saved/canonical-json.js";
import { sha256 } from "../saved/digest.js";
import { malformed } from "../saved/errors.js";
import { membersIn, readJsonFile } from "../saved/read-json.js";
import type { ModelFiles } from "./model-files.js";
import {
  describeTensor,
  type ModelSignature,
  signatureFromJson,
  type TensorSignature,
} from "./model-signature.js";
import { readSavedModelGraph } from "./saved-model-graph.js";
import { checkSavedModelGraph } from "./saved-model-rules.js";

/** The file that this package adds to a SavedModel. It holds the signature that queries call. */
export const SIGNATURE_FILE = "model.json";
/** TensorFlow's file with the graph and its signatures. */
export const GRAPH_FILE = "saved_model.pb";

const TENSORFLOW_FILE = /^(?:saved_model\.pb|variables\/variables\.(?:index|data-\d{5}-of-\d{5}))$/u;

/** Returns true for the SavedModel files that a DataView keeps. `assets` are left out, because no allowed operator opens them. */
export function isSavedModelFile(name: string): boolean {
  return TENSORFLOW_FILE.test(name);
}

/**
 * Selects the SavedModel files that views keep, and adds {@link SIGNATURE_FILE}. The bytes are not copied.
 * @throws {RecordError} `malformed-payload`: `data-view` if the graph cannot be read, does not have the signature, or runs
 *   operators that are not allowed; `data-view-files` if `saved_model.pb` is missing.
 */
export function savedModelFiles(files: ModelFiles, signatureName: string): ModelFiles {
  const kept = [...files].filter(([name]) => isSavedModelFile(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const signature = checkedSignature(files.get(GRAPH_FILE), GRAPH_FILE, signatureName);
  const json = { format: "saved-model", signature: signature as unknown as Json };
  return new Map([[SIGNATURE_FILE, new TextEncoder().encode(canonicalJson(json))], ...kept]);
}

/** Computes the id of a SavedModel: the first 16 hex digits of a SHA-256 over the names and SHA-256 digests of its files. */
export async function savedModelId(files: ModelFiles): Promise<string> {
  const lines = await Promise.all(
    [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, bytes]) => `${name}\0${await sha256(bytes)}\n`),
  );
  return (await sha256(lines.join(""))).slice(0, 16);
}

/**
 * Reads the signature from untrusted files in the layout of {@link savedModelFiles}. The signature must equal the one in the
 * graph, and may run only allowed operators.
 * @param folder prefix of paths in error messages: ends with a slash, or is empty.
 * @throws {RecordError} `malformed-payload`: `data-view`, `data-view-files`, `data-view-size`.
 */
export function readSavedModelSignature(files: ModelFiles, folder: string): ModelSignature {
  const file = `${folder}${SIGNATURE_FILE}`;
  const bytes = files.get(SIGNATURE_FILE);
  if (bytes === undefined) throw malformed(file, "it is missing", "data-view-files");
  const json = membersIn(file, "the model", readJsonFile(file, bytes), ["format", "signature"]);
  if (json.format !== "saved-model")
    throw malformed(file, `its format must be "saved-model", found ${canonicalJson(json.format)}`);
  const signature = signatureFromJson(file, json.signature);
  const found = checkedSignature(files.get(GRAPH_FILE), `${folder}${GRAPH_FILE}`, signature.name);
  assertSameTensors(file, "input", signature.inputs, found.inputs);
  assertSameTensors(file, "output", signature.outputs, found.outputs);
  return signature;
}

/** Reads a signature from the graph, and checks the nodes that run. @param file path of the graph in error messages. */
function checkedSignature(bytes: Uint8Array | undefined, file: string, name: string): ModelSignature {
  if (bytes === undefined) throw malformed(file, "it is missing", "data-view-files");
  try {
    const graph = readSavedModelGraph(bytes);
    const found = graph.signatures.get(name);
    if (found === undefined) {
      const names = [...graph.signatures.keys()].sort().map((each) => JSON.stringify(each));
      throw new Error(
        names.length === 0
          ? "it has no signatures; pass them to tf.saved_model.save"
          : `it has no signature "${name}"; its signatures are ${names.join(", ")}`,
      );
    }
    checkSavedModelGraph(graph, found.nodes);
    return found.signature;
  } catch (cause) {
    throw malformed(file, cause instanceof Error ? cause.message : String(cause), "data-view", cause);
  }
}

/**
 * @throws {RecordError} `malformed-payload` (`data-view`) unless the saved signature has the same tensors as the signature in the
 * graph.
 */
function assertSameTensors(
  file: string,
  what: string,
  declared: readonly TensorSignature[],
  found: readonly TensorSignature[],
): void {
  const listed = (tensors: readonly TensorSignature[]): string =>
    tensors.map((tensor) => `${tensor.name}: ${describeTensor(tensor)}`).join("; ") || "none";
  if (listed(declared) === listed(found)) return;
  throw malformed(
    file,
    `its ${what}s must equal those in ${GRAPH_FILE} (${listed(found)}), found ${listed(declared)}`,
  );
}
