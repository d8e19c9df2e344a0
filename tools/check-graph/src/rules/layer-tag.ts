import type { Workspace } from "../workspace.js";

/** Refuses a package without exactly one tag that the root turbo.json knows; turbo does not check untagged ones. */
export function layerTagViolations({ packages, allowedTags }: Workspace): string[] {
  return packages.flatMap(({ manifest, tags, group }) => {
    const fitting = [...allowedTags.keys()].filter(
      (tag) => tag.startsWith("layer:") === (group === "packages"),
    );
    const [tag] = tags;
    if (tags.length === 1 && tag !== undefined && fitting.includes(tag)) return [];
    const found = tags.length === 0 ? "no tag" : tags.map((name) => `"${name}"`).join(", ");
    return [`${manifest.name}: turbo.json has ${found}, expected exactly one of ${fitting.join(", ")}`];
  });
}
