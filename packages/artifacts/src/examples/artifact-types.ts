import type { NodeTypeInput } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";

/** The type Examples as TFX registers it. @see `standard_artifacts.py` of TFX */
export const EXAMPLES_TYPE: NodeTypeInput = {
  name: "Examples",
  baseType: "mlmd.Dataset",
  properties: { span: "INT", version: "INT", split_names: "STRING" },
};
/** The type DataView as TFX registers it. */
export const DATA_VIEW_TYPE: NodeTypeInput = { name: "DataView" };

/**
 * Stores an artifact type, or adds the properties that the stored type lacks. Returns the id of the type.
 * @throws {ArgumentError} `invalid-argument` (`type-conflict`) if the stored type gives a property another data type.
 */
export function ensureArtifactType(store: MetadataStore, type: NodeTypeInput): number {
  const { baseType, ...plain } = type;
  // A pipeline may have registered the type with another base type or with none. A stored type keeps its base type.
  const stored = store.types.get("artifact", type.name, type.version);
  return store.types.put("artifact", stored === undefined && baseType !== undefined ? type : plain, {
    canAddFields: true,
    canOmitFields: true,
  });
}
