import { createExampleDecoder, encodeExample } from "@tfxio/arrow-encoding";
import { expect, test } from "@jest/globals";
import { ColumnPath } from "@tfxio/schema";
import { createPathFilter, projectArrowSchema } from "../../src/projection.js";
import { projectBatch } from "../../src/reading/project-batch.js";
import { countNameReads } from "../counted-names.js";

/** Creates the paths of columns, and counts how often their steps are read. */
function countedPaths(names: readonly string[]): { paths: ColumnPath[]; numReads: () => number } {
  let numReads = 0;
  const paths = names.map((name) => {
    const path = ColumnPath.of(name);
    const { steps } = path;
    return Object.create(path, { steps: { get: () => (numReads++, steps) } }) as ColumnPath;
  });
  return { paths, numReads: () => numReads };
}

test.each<[string, (numColumns: number) => number]>([
  [
    "the projection of a batch",
    (numColumns) => {
      const names = Array.from({ length: numColumns }, (_, index) => `f${index}`);
      const features = names.map((name) => [name, { kind: "int64" as const, values: [1] }] as const);
      const batch = createExampleDecoder().decode([encodeExample(Object.fromEntries(features))]);
      const { paths, numReads } = countedPaths(names.slice(1));
      const numNameReads = countNameReads(batch.schema.fields);
      const projected = projectBatch(batch, { columns: paths, kept: [], dropped: new Set() });
      expect(projected.numCols).toBe(numColumns - 1);
      return numReads() + numNameReads();
    },
  ],
  [
    "the projection of an Arrow schema",
    (numColumns) => {
      const names = Array.from({ length: numColumns }, (_, index) => `f${index}`);
      const features = names.map((name) => [name, { kind: "int64" as const, values: [1] }] as const);
      const { schema } = createExampleDecoder().decode([encodeExample(Object.fromEntries(features))]);
      const numReads = countNameReads(schema.fields);
      expect(
        projectArrowSchema(
          schema,
          names.map((name) => ColumnPath.of(name)),
        ).fields,
      ).toEqual(schema.fields);
      return numReads();
    },
  ],
  [
    "the choice of tensor representations",
    (numColumns) => {
      const { paths, numReads } = countedPaths(Array.from({ length: numColumns }, (_, index) => `f${index}`));
      expect(paths.every(createPathFilter(paths))).toBe(true);
      return numReads();
    },
  ],
])("%s reads less than 2.5 times as many names for twice as many columns", (_, count) => {
  // Comparing each name with all others would take four times as many reads.
  expect(count(400)).toBeLessThan(2.5 * count(200));
});

test("a path is read if it is a requested column, or lies within one", () => {
  const isRead = createPathFilter([ColumnPath.of("user", "age"), ColumnPath.of("clicks")]);
  expect(isRead(ColumnPath.of("clicks"))).toBe(true);
  expect(isRead(ColumnPath.of("clicks", "url"))).toBe(true);
  expect(isRead(ColumnPath.of("user", "age"))).toBe(true);
  expect(isRead(ColumnPath.of("user"))).toBe(false);
  expect(isRead(ColumnPath.of("user", "name"))).toBe(false);
});
