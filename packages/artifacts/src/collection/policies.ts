import {
  aFunction,
  aListOf,
  aName,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  membersOf,
  required,
  rule,
} from "@tfxio/wire/checks";
import { aMetadataStore } from "../store/a-metadata-store.js";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import type { PropertyValue } from "../store/values/property-value.js";
import { lockedIds } from "./running-executions.js";

/** Receives the live artifacts in the order of their ids, and returns the ones that are no longer needed. */
export type CollectionPolicy = (artifacts: readonly Artifact[]) => readonly Artifact[];

const someArtifacts = aListOf(
  "a function that returns a list of artifacts",
  rule("an artifact", (value) => typeof membersOf(value)["id"] === "number"),
);

/** Keeps the `count` most recently created artifacts of a type. For equal times, larger ids count as more recent. */
export function keepNewest(options: { readonly type: string; readonly count: number }): CollectionPolicy {
  assertOptions("keepNewest", options, { type: required(aName), count: required(aPositiveInteger) });
  const { type, count } = options;
  return (artifacts) =>
    artifacts
      .filter((artifact) => artifact.type === type)
      .toSorted((a, b) => b.createTimeMs - a.createTimeMs || b.id - a.id)
      .slice(count);
}

/**
 * Keeps the artifacts of a type that have one of the `count` largest values of a property, such as all versions of the
 * latest spans. Artifacts without the property are kept as well.
 */
export function keepLargestGroups(options: {
  readonly type: string;
  readonly property: string;
  readonly count: number;
}): CollectionPolicy {
  assertOptions("keepLargestGroups", options, {
    type: required(aName),
    property: required(aName),
    count: required(aPositiveInteger),
  });
  const { type, property, count } = options;
  const valueOf = ({ properties, customProperties }: Artifact): PropertyValue | undefined => {
    const owner = [properties, customProperties].find((members) => Object.hasOwn(members, property));
    return owner?.[property];
  };
  return (artifacts) => {
    const grouped = artifacts.filter((artifact) => artifact.type === type && valueOf(artifact) !== undefined);
    const values = [...new Set(grouped.map(valueOf))].toSorted((a, b) =>
      larger(a, b) ? -1 : Number(larger(b, a)),
    );
    const kept = new Set(values.slice(0, count));
    return grouped.filter((artifact) => !kept.has(valueOf(artifact)));
  };
}

/**
 * Marks for deletion, in one transaction, the live artifacts that `policy` returns. It skips artifacts that a running
 * execution uses. Returns the ids of the marked artifacts. The next {@link sweep} deletes their bytes, except bytes that other
 * artifacts share.
 */
export function markForDeletion(store: MetadataStore, policy: CollectionPolicy): readonly number[] {
  assertArgument("store", store, aMetadataStore);
  assertArgument("policy", policy, aFunction);
  return store.transaction(() => {
    const locked = lockedIds(store, undefined);
    const live = store.artifacts.list({ filter: "state = LIVE" });
    const known = new Set(live.map(({ id }) => id));
    const unneeded = policy(live);
    assertArgument("policy", unneeded, someArtifacts);
    const chosen = unneeded.filter(({ id }) => known.has(id) && !locked.has(id));
    return store.artifacts.put(
      chosen.map((artifact) => ({ ...artifact, state: "MARKED_FOR_DELETION" as const })),
    );
  });
}

function larger(a: PropertyValue | undefined, b: PropertyValue | undefined): boolean {
  return (a ?? "") > (b ?? "");
}
