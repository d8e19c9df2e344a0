import type { Attributes, GraphNode } from "../expression/graph-node.js";
import type { Json } from "../expression/json.js";
import { placeInSource } from "../plan/canonical.js";
import { canonicalJson } from "./canonical-json.js";
import { sha256 } from "./digest.js";
import { notSerializable } from "./errors.js";

/** A node of `graph.json`. */
export interface NodeJson {
  readonly id: string;
  readonly op: string;
  /** Ids of the inputs, which are written before this node. */
  readonly in: readonly string[];
  readonly attrs: Attributes;
  readonly type: Json;
}

/** Collects nodes as JSON, without duplicates. Each node follows its inputs. */
export interface GraphWriter {
  readonly nodes: readonly NodeJson[];
  /**
   * Adds a node and its inputs, and returns its id.
   * @throws {UnsupportedError} `unsupported` (`not-serializable`) for a callback.
   */
  add(node: GraphNode): Promise<string>;
}

/** Creates a writer that merges equal nodes, which have equal ids. */
export function graphWriter(): GraphWriter {
  const nodes: NodeJson[] = [];
  const written = new Set<string>();
  const ids = new Map<GraphNode, string>();
  const add = async (node: GraphNode): Promise<string> => {
    const known = ids.get(node);
    if (known !== undefined) return known;
    assertSerializable(node);
    const place = placeInSource(node);
    const inputs: string[] = [];
    for (const input of place === undefined ? node.inputs : [place.head]) inputs.push(await add(input));
    const attrs = place === undefined ? node.attrs : { path: place.path.steps };
    const id = await nodeId(node.op, attrs, inputs);
    ids.set(node, id);
    if (written.has(id)) return id;
    written.add(id);
    nodes.push({ id, op: node.op, in: inputs, attrs, type: node.type });
    return id;
  };
  return { nodes, add };
}

/** Computes the id of a node: the first 16 hex digits of a SHA-256 over its operator, attributes and input ids. */
export async function nodeId(op: string, attrs: Attributes, inputs: readonly string[]): Promise<string> {
  return (await sha256(canonicalJson([op, attrs, inputs]))).slice(0, 16);
}

/** @throws {UnsupportedError} `unsupported` (`not-serializable`) for a callback, and for payloads, which only callbacks use. */
function assertSerializable({ op, callback }: GraphNode): void {
  if (op === "transform" || op === "payload") {
    throw notSerializable(`the node ${op}`, "it uses transformField, whose function cannot be saved");
  }
  if (callback !== undefined) {
    const advice = op === "mapPrensor" ? "" : "; use one of valueFunctions";
    throw notSerializable(
      `the node ${op}`,
      `the node ${op} calls a callback, which cannot be saved${advice}`,
    );
  }
}
