import type { MetadataStore } from "../store/metadata-store.js";
import type { Lineage } from "../store/query/lineage.js";
import { lineageGraph } from "./lineage-graph.js";

/**
 * Returns a lineage as a Mermaid flowchart. Artifacts are rounded boxes, executions are plain boxes, and arrows point downstream.
 */
export function lineageMermaid(store: MetadataStore, lineage: Lineage): string {
  const nodes = [...lineageGraph(store, lineage).values()];
  const boxes = nodes.map(({ key, label, isArtifact }) => {
    const quoted = `"${escaped(label)}"`;
    return `  ${key}${isArtifact ? `(${quoted})` : `[${quoted}]`}`;
  });
  const arrows = nodes.flatMap(({ key, downstream }) => downstream.map((to) => `  ${key} --> ${to}`));
  return ["flowchart LR", ...boxes, ...arrows].join("\n");
}

/** Replaces special characters with Mermaid's numeric entities, such as `#34;`, so that no label acts as markup. */
function escaped(label: string): string {
  return label.replaceAll(/["#<>&`\\\s]/gu, (character) =>
    character === " " ? " " : `#${character.codePointAt(0) ?? 32};`,
  );
}
