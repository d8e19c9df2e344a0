import type { MetadataStore } from "../store/metadata-store.js";
import type { Lineage } from "../store/query/lineage.js";
import { type GraphNode, lineageGraph } from "./lineage-graph.js";

/** Options of {@link lineageText}. */
export interface LineageTextOptions {
  /** The direction in which the tree branches: `"upstream"` to inputs, `"downstream"` (default) to outputs. */
  readonly direction?: "upstream" | "downstream";
}

/**
 * Returns a lineage as a text tree with one node per line. Box-drawing characters form the branches. The roots are the nodes
 * without a parent. If no root leads to a node, because of a cycle, that node becomes a root too. A node that occurs more than
 * once shows its branches only at its first occurrence. Its later occurrences are marked `(above)`.
 */
export function lineageText(
  store: MetadataStore,
  lineage: Lineage,
  options: LineageTextOptions = {},
): string {
  const { direction = "downstream" } = options;
  const nodes = lineageGraph(store, lineage);
  const back = direction === "downstream" ? "upstream" : "downstream";
  const shown = new Set<string>();
  const lines: string[] = [];
  // An explicit stack replaces recursion, since a long chain would overflow the call stack.
  const show = (root: GraphNode): void => {
    const stack = [{ node: root, lead: "", branch: "", below: "" }];
    for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
      const { node, lead, branch, below } = item;
      const isKnown = shown.has(node.key);
      lines.push(`${lead}${branch}${node.label.replaceAll(/\s+/gu, " ")}${isKnown ? " (above)" : ""}`);
      if (isKnown) continue;
      shown.add(node.key);
      const next = node[direction].flatMap((key) => nodes.get(key) ?? []);
      for (const [index, child] of [...next.entries()].toReversed()) {
        const isLast = index === next.length - 1;
        stack.push({
          node: child,
          lead: lead + below,
          branch: isLast ? "└─ " : "├─ ",
          below: isLast ? "   " : "│  ",
        });
      }
    }
  };
  for (const node of nodes.values()) if (node[back].length === 0) show(node);
  for (const node of nodes.values()) if (!shown.has(node.key)) show(node);
  return lines.join("\n");
}
