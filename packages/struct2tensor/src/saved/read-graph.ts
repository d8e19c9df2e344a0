import type { Attributes, Field, GraphNode } from "../expression/graph-node.js";
import type { Json } from "../expression/json.js";
import { findField } from "../expression/find-field.js";
import type { QueryModel } from "../models/query-model.js";
import { Path } from "../path/path.js";
import { canonicalJson } from "./canonical-json.js";
import { malformed, problemOf } from "./errors.js";
import { type NodeRules, nodeRules, type NodeTyping, type PlacedNode } from "./node-rules.js";
import { listIn, membersIn, objectIn, readJsonFile, textIn } from "./read-json.js";
import { nodeId } from "./write-graph.js";

/** In a saved view, the file that holds the nodes of the query. */
export const GRAPH_FILE = "graph.json";

/** Limits on the nodes of a graph and the inputs of a node. A hand-written query has a few dozen nodes. */
const MAX_NODES = 65_536;
const MAX_INPUTS = 4096;

/** The checked nodes of a saved graph, by id. */
export interface ReadGraph {
  /** Returns the node with this id. @throws {RecordError} `malformed-payload` (`data-view`) if there is none. */
  node(id: string): PlacedNode;
  readonly rules: NodeRules;
}

/**
 * Reads the nodes of a saved graph. Its `field` nodes refer to fields below `root`. The file is untrusted: every node is checked
 * against the rules of its operator, and nothing in the file is executed as code.
 * @throws {RecordError} `malformed-payload`: `data-view`, `data-view-size`.
 */
export async function readGraph(
  bytes: Uint8Array,
  root: Field,
  models: ReadonlyMap<string, QueryModel>,
): Promise<ReadGraph> {
  const { nodes } = membersIn(GRAPH_FILE, "the graph", readJsonFile(GRAPH_FILE, bytes), ["nodes"]);
  const placed = new Map<string, PlacedNode>();
  const byNode = new Map<GraphNode, PlacedNode>();
  const place = (node: GraphNode, parent: PlacedNode | undefined): PlacedNode => {
    const made = byNode.get(node) ?? { node, parent };
    byNode.set(node, made);
    return made;
  };
  const rules = nodeRules(({ node }) => node.inputs.map((input) => byNode.get(input)!), models);
  const find = (id: Json): PlacedNode => {
    const found = placed.get(textIn(GRAPH_FILE, "an id", id));
    if (found !== undefined) return found;
    throw malformed(GRAPH_FILE, `the node "${id}" must exist, and precede the nodes that use it`);
  };
  /** Returns the source field that these attributes name, with the chain of its parents. */
  const sourceField = (attrs: Attributes): PlacedNode => {
    const path = pathOf(attrs);
    let around: PlacedNode = place(root.node, undefined);
    let field: Field = root;
    for (const step of path.steps) {
      field =
        findField(field, Path.of([step], { lenient: true })) ?? raise(`the field "${path}" does not exist`);
      around = place(field.node, around);
    }
    return around;
  };
  for (const [index, json] of listIn(GRAPH_FILE, "nodes", nodes, MAX_NODES).entries()) {
    const what = `nodes[${index}]`;
    const node = membersIn(GRAPH_FILE, what, json, ["id", "op", "in", "attrs", "type"]);
    const id = textIn(GRAPH_FILE, `${what}.id`, node.id);
    const op = textIn(GRAPH_FILE, `${what}.op`, node.op);
    const attrs = objectIn(GRAPH_FILE, `${what}.attrs`, node.attrs);
    const inputs = listIn(GRAPH_FILE, `${what}.in`, node.in, MAX_INPUTS).map(find);
    const inputIds = node.in as readonly string[];
    if (placed.has(id)) throw malformed(GRAPH_FILE, `${what}: the id ${id} must be unique`);
    if (id !== (await nodeId(op, attrs, inputIds))) {
      throw malformed(
        GRAPH_FILE,
        `${what}: the id must be the digest of the operator, attributes and inputs, found ${id}`,
      );
    }
    try {
      const made = read(op, attrs, inputs);
      if (canonicalJson(made.node.type) !== canonicalJson(node.type)) {
        raise(`its type must be ${canonicalJson(made.node.type)}, found ${canonicalJson(node.type)}`);
      }
      placed.set(id, made);
    } catch (cause) {
      throw malformed(GRAPH_FILE, `${what} (${op}): ${problemOf(cause)}`, "data-view", cause);
    }
  }
  return { node: find, rules };

  function read(op: string, attrs: Attributes, inputs: readonly PlacedNode[]): PlacedNode {
    if (op === "root") {
      if (inputs.length > 0 || Object.keys(attrs).length > 0)
        raise("the root must not have inputs or attributes");
      return place(root.node, undefined);
    }
    if (op === "field") {
      if (inputs.length !== 1 || inputs[0]!.node !== root.node)
        raise("the root must be the only input of a field");
      return sourceField(attrs);
    }
    const { type, parent, model }: NodeTyping = rules.typeOf(op, inputs, attrs);
    return place({ op, attrs, inputs: inputs.map(({ node }) => node), type, model }, parent);
  }
}

function pathOf({ path, ...rest }: Attributes): Path {
  const isPath = Array.isArray(path) && path.length > 0 && path.every((step) => typeof step === "string");
  if (!isPath || Object.keys(rest).length > 0)
    raise("path must be a list of names, and the only attribute of a field");
  return Path.of(path, { lenient: true });
}

function raise(problem: string): never {
  throw new Error(problem);
}
