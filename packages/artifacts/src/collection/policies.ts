import {
  aBoolean,
  aFunction,
  aListOf,
  aName,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  describeValue,
  membersOf,
  required,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { aMetadataStore } from "../store/a-metadata-store.js";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import type { PropertyValue } from "../store/values/property-value.js";
import { lockedIds } from "./running-executions.js";

/** Receives the artifacts in state LIVE, in ascending order of id. Returns those that are no longer needed. */
export type CollectionPolicy = (artifacts: readonly Artifact[]) => readonly Artifact[];

const someArtifacts = aListOf(
  "a list of artifacts",
  rule("an artifact", (value) => typeof membersOf(value)["id"] === "number"),
);

/**
 * Returns a policy that keeps the `count` most recently created artifacts of a type. If creation times are equal, a larger id
 * counts as more recent. Artifacts of other types are kept.
 */
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
 * Returns a policy that groups the artifacts of a type by the value of a property, and keeps the groups with the `count`
 * largest values. With the property `span`, for example, the policy keeps all versions of the latest spans. Artifacts without
 * the property and artifacts of other types are also kept. A declared property takes precedence over a custom property of the
 * same name.
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
 * Marks for deletion the LIVE artifacts that `policy` returns, in one transaction. Skips artifacts that a running execution
 * reads or writes. Returns the ids of the marked artifacts. The next {@link sweep} deletes their bytes, unless one of the
 * reasons in {@link KeepReason} applies.
 * @param options.isDryRun If true, returns the same ids but marks nothing, so a read-only store is enough. Default false.
 * @throws {ArgumentError} `invalid-argument` if `policy` does not return a list of artifacts.
 */
export function markForDeletion(
  store: MetadataStore,
  policy: CollectionPolicy,
  options: { readonly isDryRun?: boolean | undefined } = {},
): readonly number[] {
  assertArgument("store", store, aMetadataStore);
  assertArgument("policy", policy, aFunction);
  assertOptions("markForDeletion", options, { isDryRun: aBoolean });
  if (options.isDryRun === true) return unneededArtifacts(store, policy).map(({ id }) => id);
  return store.transaction(() =>
    store.artifacts.put(
      unneededArtifacts(store, policy).map((artifact) => ({
        ...artifact,
        state: "MARKED_FOR_DELETION" as const,
      })),
    ),
  );
}

/** Returns the LIVE artifacts that `policy` returns, without those that a running execution reads or writes. */
function unneededArtifacts(store: MetadataStore, policy: CollectionPolicy): readonly Artifact[] {
  const locked = lockedIds(store, undefined);
  const live = store.artifacts.list({ filter: "state = LIVE" });
  const known = new Map(live.map((artifact) => [artifact.id, artifact]));
  const unneeded = policy(live);
  if (!someArtifacts.holds(unneeded)) {
    throw unusableArgument(
      "policy",
      `must return ${someArtifacts.expected}, found ${describeValue(unneeded)}`,
    );
  }
  // A policy that combines others may return an artifact twice.
  const ids = new Set(unneeded.map(({ id }) => id));
  return [...ids].flatMap((id) => (locked.has(id) ? [] : (known.get(id) ?? [])));
}

function larger(a: PropertyValue | undefined, b: PropertyValue | undefined): boolean {
  return (a ?? "") > (b ?? "");
}
