import { expect, test } from "@jest/globals";
import {
  checkTensorRepresentations,
  createTfSequenceExampleParserConfig,
  explain,
  featuresFrom,
  getTensorRepresentationsFromSchema,
  inferTensorRepresentationsFromSchema,
  parseSchemaText,
  type Schema,
  setTensorRepresentationsInSchema,
} from "../src/index.js";

/** Returns the number of times that `run` reads the name of a feature in a schema of `numFeatures` features. */
function nameReads(numFeatures: number, run: (schema: Schema) => unknown, isExplicit: boolean): number {
  const names = Array.from({ length: numFeatures }, (_, index) => `f${index}`);
  const schema = parseSchemaText(names.map((name) => `feature { name: "${name}" type: INT }`).join("\n"));
  if (isExplicit) setTensorRepresentationsInSchema(schema, inferTensorRepresentationsFromSchema(schema));
  let numReads = 0;
  for (const feature of schema.feature) {
    const { name } = feature;
    Object.defineProperty(feature, "name", { enumerable: true, get: () => (numReads++, name) });
  }
  run(schema);
  return numReads;
}

test.each<[string, (schema: Schema) => unknown, boolean]>([
  ["explain with inferred tensors", (schema) => explain(schema), false],
  ["explain with explicit tensors", (schema) => explain(schema), true],
  ["checkTensorRepresentations", (schema) => checkTensorRepresentations(schema), true],
  ["createTfSequenceExampleParserConfig", (schema) => createTfSequenceExampleParserConfig(schema), true],
  ["featuresFrom", (schema) => featuresFrom(schema), false],
])(
  "%s reads feature names less than 2.5 times as often when the number of features doubles",
  (_, run, isExplicit) => {
    const [some, twice] = [200, 400].map((numFeatures) => nameReads(numFeatures, run, isExplicit));
    expect(some).toBeGreaterThan(0);
    // Comparing each name with all others would take four times as many reads.
    expect(twice).toBeLessThan(2.5 * (some as number));
  },
);

test("explain lists one problem for each of hundreds of explicit tensors whose column is missing", () => {
  const names = Array.from({ length: 300 }, (_, index) => `f${index}`);
  const schema = parseSchemaText(names.map((name) => `feature { name: "${name}" type: FLOAT }`).join("\n"));
  setTensorRepresentationsInSchema(schema, inferTensorRepresentationsFromSchema(schema));
  schema.feature.length = 1;
  const { tensors } = explain(schema);
  expect(tensors.map(({ problems }) => problems.length)).toEqual([0, ...Array<number>(299).fill(1)]);
});

test("featuresFrom returns the first declaration of each name, in the schema's order", () => {
  const schema = parseSchemaText(
    'feature { name: "b" type: INT } feature { name: "a" type: BYTES } feature { name: "b" type: FLOAT }',
  );
  const kinds = Object.entries(featuresFrom(schema)).map(([name, { kind }]) => `${name} ${kind}`);
  expect(kinds).toEqual(["b int", "a bytes"]);
});

test("featuresFrom adds no representations to the schema", () => {
  const schema = parseSchemaText('feature { name: "a" type: INT }');
  featuresFrom(schema);
  expect(getTensorRepresentationsFromSchema(schema)).toBeUndefined();
});
