import { SourceError } from "@tfxio/wire/errors";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import type { Properties } from "../store/values/property-value.js";
import { isInside, normalizeUri } from "../uris.js";
import { text } from "../examples/examples-of.js";
import { realPlaceOf } from "./real-place.js";

/**
 * Announces that a sweep is about to delete an artifact's bytes. The sweep stores the intent in the custom properties of every
 * artifact that owns these bytes.
 */
export interface DeletionIntent {
  /** Random id of the sweep. */
  readonly owner: string;
  /** Time at which the sweep recorded or last renewed the intent, in milliseconds since 1970. */
  readonly timeMs: number;
}

const PHASE = "gc_phase";
const OWNER = "gc_owner";
const TIME = "gc_time";

/**
 * Returns the deletion intent recorded on an artifact, or undefined if there is none.
 * @throws {RecordError} `corrupt-record` (`artifact-property`) if `gc_phase`, or the `gc_owner` of an intent, is not text.
 */
export function intentOf(artifact: Artifact): DeletionIntent | undefined {
  if (text(artifact, PHASE) !== "deleting") return undefined;
  return { owner: text(artifact, OWNER) ?? "", timeMs: Number(artifact.customProperties[TIME] ?? 0n) };
}

/** Copies the custom properties and records `intent` in the copy. If `intent` is undefined, the copy has no intent. */
export function withIntent(properties: Properties, intent: DeletionIntent | undefined): Properties {
  const others = Object.entries(properties).filter(([name]) => ![PHASE, OWNER, TIME].includes(name));
  const marks =
    intent === undefined ? {} : { [PHASE]: "deleting", [OWNER]: intent.owner, [TIME]: BigInt(intent.timeMs) };
  return { ...Object.fromEntries(others), ...marks };
}

/**
 * Checks that no deletion intent is recorded for the bytes at these URIs, not even one that an interrupted sweep left behind.
 * Call it in the same transaction that adds references to the URIs. Empty URIs are skipped.
 * @throws {SourceError} `io-failed` (`being-deleted`) if an intent is recorded for one of the URIs, for something inside it, or
 * for a folder that contains it.
 */
export function assertNotBeingDeleted(store: MetadataStore, uris: readonly string[]): void {
  const deleting = store.artifacts
    .list({ filter: `custom_properties.${PHASE}.string_value = 'deleting' AND state != DELETED` })
    .flatMap(({ uri }) => namesOf(uri));
  if (deleting.length === 0) return;
  for (const uri of uris.filter((place) => place !== "").flatMap(namesOf)) {
    const hit = deleting.find((place) => place === uri || isInside(place, uri) || isInside(uri, place));
    if (hit === undefined) continue;
    throw new SourceError(
      "io-failed",
      `${uri} cannot be used, because a sweep has begun to delete ${hit}; ` +
        "try again after that sweep has finished. If it was interrupted, run a new sweep first.",
      {
        uri,
        reason: "being-deleted",
      },
    );
  }
}

/** Returns two names of a place: the normalized URI, and the same URI with its links resolved. The two may be equal. */
function namesOf(uri: string): readonly string[] {
  const place = normalizeUri(uri);
  return [place, realPlaceOf(place)];
}
