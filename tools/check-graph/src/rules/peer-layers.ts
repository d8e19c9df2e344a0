import type { Workspace } from "../workspace.js";

/** Finds peer and optional dependencies on packages of a forbidden layer. Turbo does not read these fields. */
export function peerLayerViolations({ packages, allowedTags }: Workspace): string[] {
  const tagOf = new Map(packages.map(({ manifest, tags }) => [manifest.name, tags[0]]));
  return packages.flatMap(({ manifest, tags }) => {
    const [tag] = tags;
    const allowed = tag === undefined ? undefined : allowedTags.get(tag);
    if (allowed === undefined) return [];
    return (["peerDependencies", "optionalDependencies"] as const).flatMap((field) =>
      Object.keys(manifest[field] ?? {}).flatMap((name) => {
        const other = tagOf.get(name);
        if (other === undefined || allowed.includes(other)) return [];
        return [`${manifest.name}: ${field} has ${name} of ${other}, but ${tag} must not depend on ${other}`];
      }),
    );
  });
}
