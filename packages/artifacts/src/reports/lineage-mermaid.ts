import type { MetadataStore } from "../store/metadata-store.js";
import type { Lineage } from "../store/query/lineage.js";
import { lineageGraph } from "./lineage-graph.js";

/** A lineage as a Mermaid flowchart: artifacts are rounded boxes, executions plain ones, arrows point to the outputs. */
export function lineageMermaid(store: MetadataStore, lineage: Lineage): string {
  const nodes = [...lineageGraph(store, lineage).values()];
  const boxes = nodes.map(({ key, label, isArtifact }) => {
    const quoted = `"${escaped(label)}"`;
    return `  ${key}${isArtifact ? `(${quoted})` : `[${quoted}]`}`;
  });
  const arrows = nodes.flatMap(({ key, downstream }) => downstream.map((to) => `  ${key} --> ${to}`));
  return ["flowchart LR", ...boxes, ...arrows].join("\n");
}

/** Mermaid accepts numeric entities, with # instead of &. Without them a label could end its box or act as markup. */
function escaped(label: string): string {
  return label.replaceAll(/["#<>&`\\\s]/gu, (character) =>
    character === " " ? " " : `#${character.codePointAt(0) ?? 32};`,
  );
}
