import { describe, expect, test } from "@jest/globals";
import { build, builtVectors, categoryOf, drain } from "./vectors.js";

describe.each(["batch.json", "transforms.json", "cardinality.json"])("vectors of %s", (file) => {
  test.each(builtVectors(file).map((vector) => [vector.id, vector.title, vector] as const))(
    "give the expected elements, cardinality or error: %s, %s",
    async (_id, _title, vector) => {
      const { elements, cardinality, error, errors = [] } = vector.expect;
      if (error !== undefined) {
        // In these test vectors, `error` is always thrown while the dataset is built.
        expect(error.stage).toBe("construction");
        let category = "none";
        try {
          build(vector);
        } catch (thrown) {
          category = categoryOf(thrown);
        }
        expect(category).toBe(error.category);
        return;
      }
      const dataset = build(vector);
      if (cardinality !== undefined) expect(dataset.cardinality()).toBe(cardinality);
      if (elements === undefined) return;
      const drained = await drain(dataset, "continue");
      const sorted = (list: readonly unknown[]): readonly unknown[] =>
        vector.compare === "multiset" ? [...list].sort((a, b) => Number(a) - Number(b)) : list;
      expect(sorted(drained.elements)).toEqual(sorted(elements));
      expect(drained.errors).toEqual(errors);
      if (errors[0] !== undefined) {
        const ended = await drain(build(vector), "end");
        expect(ended.elements).toEqual(elements.slice(0, errors[0].afterElements));
        expect(ended.errors).toEqual([errors[0]]);
      }
    },
  );
});

test("more than 35 conformance vectors run here", () => {
  const count = ["batch.json", "transforms.json", "cardinality.json"].map(
    (file) => builtVectors(file).length,
  );
  expect(count.reduce((total, each) => total + each)).toBeGreaterThan(35);
});
