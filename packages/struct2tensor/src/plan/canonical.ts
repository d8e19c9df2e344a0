import type { GraphNode } from "../expression/graph-node.js";
import { Path, type Step } from "../path/path.js";

/** A node of a plan. A plan has exactly one node for each distinct computation. */
export interface PlanNode {
  /** Position in {@link CanonicalGraph.nodes}. */
  readonly id: number;
  readonly node: GraphNode;
  /**
   * Nodes that must be computed first. For fields and payloads, this is only the node that holds their source. Their parent is
   * not an input.
   */
  readonly inputs: readonly PlanNode[];
  /** For fields and payloads: the path in the source. */
  readonly path?: Path | undefined;
}

/** A field of a planned expression, and the node that computes it. */
export interface PlannedField {
  readonly path: Path;
  readonly node: PlanNode;
}

/** A graph of expressions without repeated computations. */
export interface CanonicalGraph {
  /** Adds a node of an expression, and the nodes that must be computed first. Returns the {@link PlanNode}, new or existing. */
  add(node: GraphNode): PlanNode;
  /** All nodes, each after its inputs. */
  readonly nodes: readonly PlanNode[];
}

/**
 * Creates a graph that merges nodes with equal operators, attributes and inputs. Sources and callbacks are compared by reference,
 * and models by their id, which is an attribute.
 * @param isUnbound True to leave out the data that is bound to sources.
 * @see struct2tensor `calculate`, which canonicalizes by `Expression.calculation_equal`
 */
export function canonicalGraph(isUnbound = false): CanonicalGraph {
  const nodes: PlanNode[] = [];
  const byKey = new Map<string, PlanNode>();
  const byNode = new Map<GraphNode, PlanNode>();
  const identities = new Map<object, number>();
  const identityOf = (value: object | undefined): number => {
    if (value === undefined) return -1;
    const known = identities.get(value) ?? identities.size;
    identities.set(value, known);
    return known;
  };
  const add = (node: GraphNode): PlanNode => {
    const known = byNode.get(node);
    if (known !== undefined) return known;
    const place = placeInSource(node);
    const inputs = (place === undefined ? node.inputs : [place.head]).map(add);
    const { op, attrs, type, callback, source } = node;
    const key = JSON.stringify([
      op,
      place === undefined ? attrs : place.path.steps,
      inputs.map(({ id }) => id),
      type,
      identityOf(callback),
      identityOf(source),
    ]);
    let planned = byKey.get(key);
    if (planned === undefined) {
      const isBound = isUnbound && source?.bound !== undefined;
      const kept = isBound ? { ...node, source: { ...source, bound: undefined } } : node;
      planned = { id: nodes.length, node: kept, inputs, path: place?.path };
      nodes.push(planned);
      byKey.set(key, planned);
    }
    byNode.set(node, planned);
    return planned;
  };
  return { add, nodes };
}

/**
 * Returns the node that holds the source of a field or payload, and the path from there. Returns undefined for all other nodes.
 */
export function placeInSource(
  node: GraphNode,
): { readonly head: GraphNode; readonly path: Path } | undefined {
  if (node.op !== "field" && node.op !== "payload") return undefined;
  const steps: Step[] = [];
  let head = node;
  do {
    steps.unshift((head.attrs as { readonly step: Step }).step);
    head = head.inputs[0]!;
  } while (head.source === undefined);
  return { head, path: Path.of(steps, { lenient: true }) };
}
