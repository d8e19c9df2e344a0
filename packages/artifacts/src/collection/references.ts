import { gcContextOf, text } from "../examples/examples-of.js";
import type { Artifact } from "../store/entities.js";
import { placesOf } from "../uris.js";

/**
 * Returns the normalised URIs that an artifact needs: its own, the URIs in `gc_context`, and its DataView's. Empty ones are left
 * out.
 */
export function refsOf(artifact: Artifact): readonly string[] {
  const uris = [artifact.uri, ...gcContextOf(artifact), text(artifact, "data_view_uri") ?? ""];
  return [...new Set(uris.filter((uri) => uri !== "").flatMap(placesOf))];
}

/** True for an artifact whose bytes must stay: in every state except marked, abandoned and deleted, even an unknown one. */
export function isCounting({ state }: Artifact): boolean {
  return state !== "MARKED_FOR_DELETION" && state !== "ABANDONED" && state !== "DELETED";
}

/** True for an artifact whose own bytes may be deleted. */
export function isCollectable({ state }: Artifact): boolean {
  return state === "MARKED_FOR_DELETION" || state === "ABANDONED";
}

/** True for data that a pipeline imported and does not own. TFX writes 1; older versions write text. */
export function isExternal({ customProperties }: Artifact): boolean {
  const value = Object.hasOwn(customProperties, "is_external") ? customProperties["is_external"] : undefined;
  return value !== undefined && value !== 0n && value !== false && value !== "0" && value !== "";
}
