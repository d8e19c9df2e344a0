import { gcContextOf, text } from "../examples/examples-of.js";
import type { Artifact } from "../store/entities.js";
import { placesOf } from "../uris.js";

/** Normalised URIs that an artifact needs: its own, those of `gc_context`, and that of its DataView. An empty URI is none. */
export function refsOf(artifact: Artifact): readonly string[] {
  const uris = [artifact.uri, ...gcContextOf(artifact), text(artifact, "data_view_uri") ?? ""];
  return [...new Set(uris.filter((uri) => uri !== "").flatMap(placesOf))];
}

/** True for an artifact whose bytes must stay: any but those that are marked, abandoned or deleted, also of an unknown state. */
export function isCounting({ state }: Artifact): boolean {
  return state !== "MARKED_FOR_DELETION" && state !== "ABANDONED" && state !== "DELETED";
}

/** True for an artifact whose own bytes may be deleted. */
export function isCollectable({ state }: Artifact): boolean {
  return state === "MARKED_FOR_DELETION" || state === "ABANDONED";
}

/** True for data that a pipeline has imported, and does not own. TFX writes 1, and text in older versions. */
export function isExternal({ customProperties }: Artifact): boolean {
  const value = Object.hasOwn(customProperties, "is_external") ? customProperties["is_external"] : undefined;
  return value !== undefined && value !== 0n && value !== false && value !== "0" && value !== "";
}
