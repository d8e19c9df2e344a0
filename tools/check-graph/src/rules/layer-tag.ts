import type { Workspace } from "../workspace.js";

/**
 * Finds packages that do not have exactly one tag, or whose tag the root turbo.json does not define. In `packages/`, the tag
 * must begin with `layer:`. In `tools/`, it must not. Turbo itself does not check untagged packages.
 */
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
