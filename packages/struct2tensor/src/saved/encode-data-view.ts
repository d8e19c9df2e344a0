import { assertArgument } from "@tfxio/wire/checks";
import { fieldsTo } from "../expression/find-field.js";
import type { Json } from "../expression/json.js";
import { canonicalJson } from "./canonical-json.js";
import { aDataView, type AnyDataView, type DataView } from "./data-view.js";
import { prunedDescriptors } from "./descriptors.js";
import { type DataViewFiles, MANIFEST_FILE, manifestBytes } from "./manifest.js";
import { filesOfModels } from "./model-directory.js";
import { SIGNATURE_FILE } from "./outputs.js";
import { GRAPH_FILE } from "./read-graph.js";
import { modelSignatureJson } from "./saved-model-signature.js";
import { signatureJson, type WiredOutput } from "./signature.js";
import { graphWriter } from "./write-graph.js";

/** In a saved view, the file that holds the message types as a `FileDescriptorSet`. */
export const DESCRIPTORS_FILE = "descriptors.binpb";

/** The files that each kind of view requires in addition to the manifest and the models, sorted. */
export const CONTENT_FILES: Readonly<Record<AnyDataView["kind"], readonly string[]>> = {
  expression: [DESCRIPTORS_FILE, GRAPH_FILE, SIGNATURE_FILE],
  "tf-saved-model": [SIGNATURE_FILE],
};

/**
 * Encodes a view as files, keyed by path, with the manifest last. Equal queries give the same bytes, regardless of the order in
 * which their fields were added.
 * @throws {UnsupportedError} `unsupported` (`not-serializable`), naming the node, for a query with a callback.
 * @throws {ConversionError} `not-convertible` (`no-handler`) for an output that cannot become a column, such as a bool tensor.
 */
export async function encodeDataView(view: AnyDataView): Promise<DataViewFiles> {
  assertArgument("view", view, aDataView);
  if (view.kind === "expression") return encodeQuery(view);
  const content = new Map<string, Uint8Array>([
    [SIGNATURE_FILE, bytesOf(modelSignatureJson(view))],
    ...filesOfModels([view.model]),
  ]);
  return new Map([...content, [MANIFEST_FILE, await manifestBytes(content, undefined, [view.model])]]);
}

async function encodeQuery(view: DataView): Promise<DataViewFiles> {
  const { expression, outputs, plan, messages, recordIndex } = view;
  const graph = graphWriter();
  const wired: WiredOutput[] = [];
  for (const output of outputs) {
    const nodeIds: string[] = [];
    for (const { node } of fieldsTo(expression.root, output.path)) nodeIds.push(await graph.add(node));
    wired.push({ ...output, nodeIds });
  }
  const paths = plan.nodes.flatMap(({ path }) => path ?? []);
  const models = plan.nodes.flatMap(({ node: { model } }) => model ?? []);
  const content = new Map<string, Uint8Array>([
    [DESCRIPTORS_FILE, prunedDescriptors(messages, paths)],
    [GRAPH_FILE, bytesOf({ nodes: graph.nodes as unknown as Json })],
    [SIGNATURE_FILE, bytesOf(signatureJson(wired, plan, recordIndex))],
    ...filesOfModels(models),
  ]);
  return new Map([...content, [MANIFEST_FILE, await manifestBytes(content, messages, models)]]);
}

function bytesOf(json: Json): Uint8Array {
  return new TextEncoder().encode(canonicalJson(json));
}
