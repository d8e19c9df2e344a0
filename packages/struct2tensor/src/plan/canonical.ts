import type { GraphNode } from "../expression/graph-node.js";
import { Path, type Step } from "../path/path.js";

/** A node of a plan: unlike those of expressions, two are never the same computation. */
export interface PlanNode {
  /** Position in {@link CanonicalGraph.nodes}. */
  readonly id: number;
  readonly node: GraphNode;
  /** Nodes that must be computed before. Those of a field are not its parents, but the source that it is read from. */
  readonly inputs: readonly PlanNode[];
  /** Of fields and payloads: where in their source they are. */
  readonly path?: Path | undefined;
}

/** A field of an expression in a plan. */
export interface PlannedField {
  readonly path: Path;
  readonly node: PlanNode;
}

/** Expressions as one graph without repetitions. */
export interface CanonicalGraph {
  /** The plan's node for a node of an expression, with all that it needs. */
  add(node: GraphNode): PlanNode;
  /** In the order in which they can be computed. */
  readonly nodes: readonly PlanNode[];
}

/**
 * Nodes with equal operators, attributes and inputs become one. Sources and functions of the caller's are equal only to themselves.
 * @see struct2tensor `calculate`, which canonicalises by `Expression.calculation_equal`
 */
export function canonicalGraph(): CanonicalGraph {
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
      planned = { id: nodes.length, node, inputs, path: place?.path };
      nodes.push(planned);
      byKey.set(key, planned);
    }
    byNode.set(node, planned);
    return planned;
  };
  return { add, nodes };
}

/** The node with the source of a field, and the field's path there; undefined for nodes that are computed. */
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
