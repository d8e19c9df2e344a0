import { keepLargestGroups, keepNewest, type MetadataStore, publishExamples } from "@tfxio/artifacts";
import { assertSame } from "../assert-same.js";
import { seeded } from "../seeded.js";

const EXAMPLES = 80;
const COUNTS = [1, 2, 3, 5, 8, 100];

/**
 * Adds Examples with random spans and versions. Then it compares the artifacts that our policies keep with the artifacts that
 * TFX's resolvers `LatestCreateTime` and `LatestSpan` (all versions) choose.
 */
export async function compareLatest(
  store: MetadataStore,
  latest: (counts: string) => Promise<unknown>,
): Promise<void> {
  const random = seeded(11);
  for (let index = 0; index < EXAMPLES; index += 1) {
    publishExamples(store, {
      uri: `/latest/${index}`,
      splitNames: ["train"],
      span: random(20),
      version: random(4),
    });
  }
  const artifacts = store.artifacts.list({ filter: "type = 'Examples'" });
  const withSpan = artifacts.filter(({ properties }) => Object.hasOwn(properties, "span"));
  const idsWithout = (all: typeof artifacts, gone: typeof artifacts): number[] => {
    const marked = new Set(gone.map(({ id }) => id));
    return all.flatMap(({ id }) => (marked.has(id) ? [] : [id])).toSorted((a, b) => a - b);
  };
  const kept = COUNTS.map((count) => ({
    created: idsWithout(artifacts, keepNewest({ type: "Examples", count })(artifacts)),
    // Our policy also keeps artifacts without a span, but LatestSpan omits them.
    spans: idsWithout(withSpan, keepLargestGroups({ type: "Examples", property: "span", count })(artifacts)),
  }));
  assertSame(await latest(JSON.stringify(COUNTS)), kept);
}
