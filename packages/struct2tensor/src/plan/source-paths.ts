import { deepestPaths, Path } from "../path/path.js";
import type { PlanNode } from "./canonical.js";

/**
 * Returns the deepest paths that these nodes read from each source, sorted, keyed by source name. Leaves out prefixes, because
 * reading a field also reads the messages that contain it.
 */
export function sourcePathsOf(nodes: Iterable<PlanNode>): Readonly<Record<string, readonly Path[]>> {
  const found = new Map<string, Path[]>();
  for (const node of nodes) {
    const { source } = headOf(node)?.node ?? {};
    const root = rootOf(node);
    const name = root?.node.source?.name;
    if (name === undefined || source === undefined) continue;
    const path = pathFromRoot(node);
    found.set(name, [...(found.get(name) ?? []), ...(path ? [path] : [])]);
  }
  return Object.fromEntries([...found].map(([name, paths]) => [name, deepestPaths(paths)]));
}

/** Returns these nodes and all their direct and indirect inputs. */
export function withInputs(nodes: readonly PlanNode[]): ReadonlySet<PlanNode> {
  const all = new Set<PlanNode>();
  const visit = (node: PlanNode): void => {
    if (all.has(node)) return;
    all.add(node);
    node.inputs.forEach(visit);
  };
  nodes.forEach(visit);
  return all;
}

/** Returns the node that holds this node's source, possibly the node itself. Undefined for computed nodes. */
function headOf(node: PlanNode): PlanNode | undefined {
  if (node.path !== undefined) return node.inputs[0];
  return node.node.op === "root" ? node : undefined;
}

/** Returns the root node from which a field is read, even if the field is below a transform. Undefined for computed nodes. */
function rootOf(node: PlanNode): PlanNode | undefined {
  const head = headOf(node);
  if (head === undefined || head.node.op === "root") return head;
  return rootOf(payloadBehind(head));
}

/** Returns the path of a field from the root. Below a transformed message, the path leads through the original message. */
function pathFromRoot(node: PlanNode): Path | undefined {
  const head = headOf(node);
  if (head === undefined || node.path === undefined) return undefined;
  const above = head.node.op === "root" ? Path.of([]) : pathFromRoot(payloadBehind(head))!;
  return above.join(node.path);
}

/** Returns the payload node at the start of a chain of transforms. */
function payloadBehind(transform: PlanNode): PlanNode {
  const [input] = transform.inputs;
  return input!.node.op === "transform" ? payloadBehind(input!) : input!;
}
