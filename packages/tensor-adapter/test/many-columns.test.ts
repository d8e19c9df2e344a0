import { createExampleDecoder, encodeExample } from "@tfxio/arrow-encoding";
import { expect, test } from "@jest/globals";
import { inferTensorRepresentationsFromSchema, parseSchemaText, type Schema } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import { formatAdapterExplanation, TensorAdapter, typedTensors } from "../src/index.js";
import { countNameReads } from "./counted-names.js";

interface Wide {
  readonly names: readonly string[];
  readonly schema: Schema;
  readonly batch: RecordBatch;
  readonly adapter: TensorAdapter;
}

/** Creates a one-row batch of `numColumns` columns, which become dense, sparse and ragged tensors in rotation. */
function wideOf(numColumns: number): Wide {
  const names = Array.from({ length: numColumns }, (_, index) => `f${index}`);
  const dense = "shape { dim { size: 1 } } presence { min_fraction: 1 }";
  const ragged = names.filter((_, index) => index % 3 === 2);
  const schema = parseSchemaText(
    `${names.map((name, index) => `feature { name: "${name}" type: INT ${index % 3 === 0 ? dense : ""} }`).join("\n")}
     tensor_representation_group { key: "" value { ${ragged
       .map(
         (name) =>
           `tensor_representation { key: "${name}" value { ragged_tensor { feature_path { step: "${name}" } } } }`,
       )
       .join("\n")} } }`,
  );
  const record = encodeExample(
    Object.fromEntries(names.map((name) => [name, { kind: "int64", values: [1] }])),
  );
  const batch = createExampleDecoder({ schema }).decode([record]);
  const tensorRepresentations = inferTensorRepresentationsFromSchema(schema);
  return {
    names,
    schema,
    batch,
    adapter: new TensorAdapter({ arrowSchema: batch.schema, tensorRepresentations }),
  };
}

/** Returns the ratio of the reads for 400 columns to those for 200. Comparing every pair of columns would give a ratio of 4. */
function growthOf(count: (numColumns: number) => number): number {
  const [some, twice] = [200, 400].map(count) as [number, number];
  expect(some).toBeGreaterThan(0);
  return twice / some;
}

test.each<[string, (wide: Wide) => unknown]>([
  [
    "new TensorAdapter",
    ({ schema, batch: { schema: arrowSchema } }) =>
      new TensorAdapter({ arrowSchema, tensorRepresentations: inferTensorRepresentationsFromSchema(schema) }),
  ],
  ["toHost", ({ adapter, batch }) => [adapter.toHost(batch), batch.schema.names]],
  ["explain()", ({ adapter }) => adapter.explain()],
  ["explain(batch)", ({ adapter, batch }) => adapter.explain(batch)],
  ["project", ({ adapter, names }) => adapter.project(names)],
])("%s reads fewer than 2.5 times as many names when the number of columns doubles", (_, run) => {
  const growth = growthOf((numColumns) => {
    const wide = wideOf(numColumns);
    const numReads = countNameReads(wide.batch.schema.fields);
    // Copies the array of fields, so that nothing cached for the original array applies.
    Object.assign(wide.batch.schema, { fields: [...wide.batch.schema.fields] });
    run(wide);
    return numReads();
  });
  expect(growth).toBeLessThan(2.5);
});

test("explain(batch) reads fewer than 2.5 times as many value buffers when the number of columns doubles", () => {
  const growth = growthOf((numColumns) => {
    const { adapter, batch } = wideOf(numColumns);
    let numReads = 0;
    for (const { children } of batch.data.children) {
      const [leaf] = children;
      const { values } = leaf as { values: unknown };
      Object.defineProperty(leaf, "values", { get: () => (numReads++, values) });
    }
    adapter.explain(batch);
    return numReads;
  });
  expect(growth).toBeLessThan(2.5);
});

test("typedTensors reads fewer than 2.5 times as many feature names when the number of features doubles", () => {
  const growth = growthOf((numColumns) => {
    const { schema, batch, adapter } = wideOf(numColumns);
    let numReads = 0;
    for (const feature of schema.feature) {
      const { name } = feature;
      Object.defineProperty(feature, "name", { enumerable: true, get: () => (numReads++, name) });
    }
    const [handlers, tensorRepresentations] = [
      new Map<never, never>(),
      inferTensorRepresentationsFromSchema(schema),
    ];
    numReads = 0;
    typedTensors(schema)({ arrowSchema: batch.schema, tensorRepresentations, handlers });
    expect(adapter.typeSpecs().size).toBe(numColumns);
    return numReads;
  });
  expect(growth).toBeLessThan(2.5);
});

test("formatAdapterExplanation formats more lines than a function call can have arguments", () => {
  const { adapter } = wideOf(1);
  const [tensor] = adapter.explain().tensors;
  const text = formatAdapterExplanation({ tensors: Array.from({ length: 100_000 }, () => tensor!) });
  expect(text.split("\n")).toHaveLength(200_001);
});
