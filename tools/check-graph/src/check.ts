import { browserEntryViolations } from "./rules/browser-entries.js";
import { declaredImportViolations } from "./rules/declared-imports.js";
import { fileCycleViolations } from "./rules/file-cycles.js";
import { layerTagViolations } from "./rules/layer-tag.js";
import { peerLayerViolations } from "./rules/peer-layers.js";
import { readWorkspace } from "./workspace.js";

/** Returns the violations in the package graph of the workspace in `root`, one line for each, without duplicates. */
export function checkGraph(root: string): string[] {
  const workspace = readWorkspace(root);
  const rules = [
    layerTagViolations,
    peerLayerViolations,
    declaredImportViolations,
    fileCycleViolations,
    browserEntryViolations,
  ];
  return [...new Set(rules.flatMap((rule) => rule(workspace)))];
}
