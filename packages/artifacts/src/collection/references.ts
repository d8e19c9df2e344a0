import { gcContextOf, text } from "../examples/examples-of.js";
import type { Artifact } from "../store/entities.js";
import { placesOf } from "../uris.js";

/**
 * Returns the normalized URIs that an artifact needs: its own URI, the URIs in `gc_context`, and the URI of its DataView.
 * Empty URIs are omitted.
 * @throws {RecordError} `corrupt-record` (`artifact-property`) if `gc_context` or `data_view_uri` is invalid.
 */
export function refsOf(artifact: Artifact): readonly string[] {
  const uris = [artifact.uri, ...gcContextOf(artifact), text(artifact, "data_view_uri") ?? ""];
  return [...new Set(uris.filter((uri) => uri !== "").flatMap(placesOf))];
}

/**
 * True for an artifact that needs its URIs. This holds for every state, even unset or unknown, except MARKED_FOR_DELETION,
 * ABANDONED and DELETED.
 */
export function isCounting({ state }: Artifact): boolean {
  return state !== "MARKED_FOR_DELETION" && state !== "ABANDONED" && state !== "DELETED";
}

/** True for an artifact whose own bytes may be deleted: its state is MARKED_FOR_DELETION or ABANDONED. */
export function isCollectable({ state }: Artifact): boolean {
  return state === "MARKED_FOR_DELETION" || state === "ABANDONED";
}

/**
 * True for data that a pipeline imported and does not own, according to the custom property `is_external`. TFX sets it to the
 * integer 1; older versions of TFX store text.
 */
export function isExternal({ customProperties }: Artifact): boolean {
  const value = Object.hasOwn(customProperties, "is_external") ? customProperties["is_external"] : undefined;
  return value !== undefined && value !== 0n && value !== false && value !== "0" && value !== "";
}
