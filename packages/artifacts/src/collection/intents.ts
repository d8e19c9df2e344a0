import { SourceError } from "@tfxio/wire/errors";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import type { Properties } from "../store/values/property-value.js";
import { isInside, normaliseUri } from "../uris.js";
import { text } from "../examples/examples-of.js";
import { realPlaceOf } from "./real-place.js";

/** A sweep's mark on the artifacts whose bytes it is about to delete, in their custom properties. */
export interface DeletionIntent {
  /** Id of the sweep. */
  readonly owner: string;
  /** Time of the intent, in milliseconds since 1970. */
  readonly timeMs: number;
}

const PHASE = "gc_phase";
const OWNER = "gc_owner";
const TIME = "gc_time";

/** Returns the deletion intent recorded on an artifact, or undefined. */
export function intentOf(artifact: Artifact): DeletionIntent | undefined {
  if (text(artifact, PHASE) !== "deleting") return undefined;
  return { owner: text(artifact, OWNER) ?? "", timeMs: Number(artifact.customProperties[TIME] ?? 0n) };
}

/** Returns the custom properties with `intent` recorded in them, or with any intent removed if `intent` is undefined. */
export function withIntent(properties: Properties, intent: DeletionIntent | undefined): Properties {
  const others = Object.entries(properties).filter(([name]) => ![PHASE, OWNER, TIME].includes(name));
  const marks =
    intent === undefined ? {} : { [PHASE]: "deleting", [OWNER]: intent.owner, [TIME]: BigInt(intent.timeMs) };
  return { ...Object.fromEntries(others), ...marks };
}

/**
 * Checks that no sweep is deleting these URIs. Call it in the transaction that adds references to them.
 * @throws {SourceError} `io-failed` (`being-deleted`) if a sweep is deleting one of them, something inside it, or a folder
 * that contains it.
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
      `${uri} is in use by a collection, which is deleting ${hit}; try again later.`,
      {
        uri,
        reason: "being-deleted",
      },
    );
  }
}

/** Returns the normalised URI, and the place that it leads to after links are resolved. */
function namesOf(uri: string): readonly string[] {
  const place = normaliseUri(uri);
  return [place, realPlaceOf(place)];
}
