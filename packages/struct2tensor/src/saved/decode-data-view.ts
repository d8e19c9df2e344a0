import { assertArgument, assertOptions, isTagged, rule } from "@tfxio/wire/checks";
import { Expression } from "../expression/expression.js";
import { type Field, leafField, remembering } from "../expression/graph-node.js";
import type { Json } from "../expression/json.js";
import { constantFromJson } from "../functions/constants-from-json.js";
import { assertRuntime, type ModelRuntime } from "../models/query-model.js";
import { Path, type Step } from "../path/path.js";
import { protoPlaceholder } from "../sources/from-protobuf.js";
import { canonicalJson } from "./canonical-json.js";
import { type AnyDataView, createDataView, type DataView } from "./data-view.js";
import { descriptorText } from "./descriptors.js";
import { CONTENT_FILES, DESCRIPTORS_FILE, encodeDataView } from "./encode-data-view.js";
import { malformed, problemOf } from "./errors.js";
import { type DataViewFiles, MANIFEST_FILE, type ReadManifest, readManifest } from "./manifest.js";
import type { PlacedNode } from "./node-rules.js";
import { type DataViewOutput, MAX_OUTPUTS, SIGNATURE_FILE } from "./outputs.js";
import { readModels } from "./model-directory.js";
import { GRAPH_FILE, type ReadGraph, readGraph } from "./read-graph.js";
import { createSavedModelView } from "./saved-model-view.js";
import { readModelSignature } from "./saved-model-signature.js";
import { type JsonObject, listIn, membersIn, readJsonFile, textIn } from "./read-json.js";

/** Limit on the steps of a path in an untrusted file, far above the needs of real views. */
const MAX_STEPS = 100;

/** Options of {@link decodeDataView}. */
export interface DecodeDataViewOptions {
  /** Runs the view's models. Required if the view calls a model. Default: none. */
  readonly models?: ModelRuntime | undefined;
}

/**
 * Reads a view from untrusted files. Checks, in this order, the version, the sizes and checksums, the descriptors, the models and
 * every node. Nothing in the files is executed as code.
 * @throws {RecordError} `malformed-payload`: `data-view`, `data-view-checksum`, `data-view-files`, `data-view-size`; `uri` names
 *   the file.
 * @throws {UnsupportedError} `unsupported`: `data-view-version`, `data-view-requires`.
 * @throws {SourceError} `io-failed` (`file`) if a SavedModel cannot be written to the temporary directory from which TensorFlow
 *   loads it.
 */
export async function decodeDataView(
  files: DataViewFiles,
  options: DecodeDataViewOptions = {},
): Promise<AnyDataView> {
  assertArgument("files", files, rule("a Map of files by name", isTagged("Map")));
  assertOptions("decodeDataView", options, { models: null });
  const { models: runtime } = options;
  if (runtime !== undefined) assertRuntime(runtime);
  const manifest = await readManifest(files, CONTENT_FILES);
  if (manifest.kind === "expression") return decodeQuery(files, manifest, runtime);
  const { model: id, ...viewOptions } = readModelSignature(files.get(SIGNATURE_FILE)!);
  const model = (await readModels(files, runtime)).get(id);
  if (model === undefined) throw malformed(SIGNATURE_FILE, `the model ${canonicalJson(id)} is missing`);
  const view = within(SIGNATURE_FILE, () => createSavedModelView(model, viewOptions));
  await assertSame(view, readJsonFile(SIGNATURE_FILE, files.get(SIGNATURE_FILE)!), files);
  return view;
}

/** Reads a query: rebuilds its graph, collects its outputs, and compares the resulting view with the files. */
async function decodeQuery(
  files: DataViewFiles,
  { message, messageFormat, rules }: Extract<ReadManifest, { readonly kind: "expression" }>,
  runtime: ModelRuntime | undefined,
): Promise<DataView> {
  const fileOf = (name: string): Uint8Array => files.get(name)!;
  const descriptor = descriptorText(fileOf(DESCRIPTORS_FILE));
  const { root } = within(DESCRIPTORS_FILE, () =>
    protoPlaceholder({ descriptor, message }, { ...rules, messageFormat }),
  );
  const models = await readModels(files, runtime);
  const graph = await readGraph(fileOf(GRAPH_FILE), root, models);
  const signature = membersIn(
    SIGNATURE_FILE,
    "the signature",
    readJsonFile(SIGNATURE_FILE, fileOf(SIGNATURE_FILE)),
    ["outputs", "recordIndex", "arrowSchema"],
  );
  const tree = outputTree();
  const outputs: Record<string, DataViewOutput> = {};
  for (const [index, json] of listIn(SIGNATURE_FILE, "outputs", signature.outputs, MAX_OUTPUTS).entries()) {
    const { name, output, chain } = readOutput(json, `outputs[${index}]`, graph);
    tree.add(output.path as Path, chain);
    Object.defineProperty(outputs, name, { value: output, enumerable: true, configurable: true });
  }
  const recordIndex =
    signature.recordIndex === null ? undefined : textIn(SIGNATURE_FILE, "recordIndex", signature.recordIndex);
  const expression = new Expression(tree.root());
  const view = await createDataView(expression, { outputs, recordIndex }).catch((cause: unknown) =>
    raise(SIGNATURE_FILE, cause),
  );
  await assertSame(view, signature, files);
  return view;
}

/**
 * Checks everything that can be derived from the graph or the model: specs, representations, source paths and requirements.
 * Ignores the Arrow schema, which is meant for other readers. Other versions of Arrow may encode it differently.
 */
async function assertSame(view: AnyDataView, found: JsonObject, files: DataViewFiles): Promise<void> {
  const saved = await encodeDataView(view).catch((cause: unknown) => raise(SIGNATURE_FILE, cause));
  const unused = [...files.keys()].find((name) => !saved.has(name));
  if (unused !== undefined)
    throw malformed(unused, "no output of the view calls this model", "data-view-files");
  const [requires, needed] = [files, saved].map((each) => {
    const manifest = readJsonFile(MANIFEST_FILE, each.get(MANIFEST_FILE)!);
    return canonicalJson(manifest["requires"]!);
  });
  if (requires !== needed) throw malformed(MANIFEST_FILE, `"requires" must be ${needed}, found ${requires}`);
  const own = readJsonFile(SIGNATURE_FILE, saved.get(SIGNATURE_FILE)!);
  const { arrowSchema } = own;
  if (canonicalJson(own) === canonicalJson({ ...found, arrowSchema: arrowSchema! })) return;
  throw malformed(SIGNATURE_FILE, "it does not describe the outputs of the graph or model");
}

interface ReadOutput {
  readonly name: string;
  readonly output: DataViewOutput;
  readonly chain: readonly PlacedNode[];
}

/** Reads one output, and finds its nodes in the graph. @param what name of the output in error messages. */
function readOutput(json: Json, what: string, graph: ReadGraph): ReadOutput {
  const read = membersIn(SIGNATURE_FILE, what, json, [
    "name",
    "path",
    "steps",
    "view",
    "shape",
    "defaultValue",
    "spec",
    "tensorRepresentation",
    "sourcePaths",
  ]);
  const ids = listIn(SIGNATURE_FILE, `${what}.path`, read.path, MAX_STEPS + 1);
  const steps = listIn(SIGNATURE_FILE, `${what}.steps`, read.steps, MAX_STEPS);
  const chain = ids.map((id) => graph.node(textIn(SIGNATURE_FILE, `${what}.path`, id)));
  const isChain =
    chain[0]?.node.type.kind === "root" &&
    chain.length === steps.length + 1 &&
    chain.every((node, depth) => depth === 0 || graph.rules.isChildOf(node, chain[depth - 1]!));
  if (!isChain || !steps.every((step) => typeof step === "string")) {
    throw malformed(SIGNATURE_FILE, `${what}.path must lead from the root to a leaf by named steps`);
  }
  const { view, shape, defaultValue } = read;
  return {
    name: textIn(SIGNATURE_FILE, `${what}.name`, read.name),
    chain,
    output: {
      path: Path.of(steps, { lenient: true }),
      view: view as DataViewOutput["view"],
      ...(shape !== null && { shape: shape as readonly number[] }),
      ...(defaultValue !== null && {
        defaultValue: within(SIGNATURE_FILE, () => constantFromJson(defaultValue)),
      }),
    },
  };
}

/** A node of the expression under construction. Children can still be added. */
interface Branch {
  readonly node: PlacedNode;
  readonly children: Map<Step, Branch>;
}

/** Creates a builder for the tree of an expression. The tree has only the outputs and the messages that contain them. */
function outputTree(): {
  add(path: Path, chain: readonly PlacedNode[]): void;
  root(): Field;
} {
  let top: Branch | undefined;
  return {
    add(path, chain) {
      top ??= { node: chain[0]!, children: new Map() };
      let branch = top;
      if (branch.node !== chain[0]) throw malformed(SIGNATURE_FILE, "all outputs must have the same root");
      for (const [depth, step] of path.steps.entries()) {
        const node = chain[depth + 1]!;
        const child = branch.children.get(step) ?? { node, children: new Map<Step, Branch>() };
        if (child.node !== node)
          throw malformed(SIGNATURE_FILE, `the path "${path}" must lead to the same node in all outputs`);
        branch.children.set(step, child);
        branch = child;
      }
    },
    root: () => {
      if (top === undefined) throw malformed(SIGNATURE_FILE, "there must be at least one output");
      return fieldOf(top);
    },
  };
}

function fieldOf({ node: { node }, children }: Branch): Field {
  if (children.size === 0) return leafField(node);
  return remembering({
    node,
    knownSteps: () => [...children.keys()],
    child: (step) => {
      const child = children.get(step);
      return child && fieldOf(child);
    },
  });
}

/** Calls `read`, and wraps its errors in a {@link RecordError} that names the file. */
function within<Value>(file: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    return raise(file, cause);
  }
}

function raise(file: string, cause: unknown): never {
  throw malformed(file, problemOf(cause), "data-view", cause);
}
