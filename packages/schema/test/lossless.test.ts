import { equals } from "@bufbuild/protobuf";
import { describe, expect, test } from "@jest/globals";
import {
  decodeSchema,
  encodeSchema,
  featureFrom,
  getTensorRepresentationsFromSchema,
  int,
  type Schema,
  SchemaSchema,
  setTensorRepresentationsInSchema,
  TensorRepresentationSchema,
  withFeatures,
} from "../src/index.js";
import { mulberry32, randomMessage } from "./random-message.js";

/** Returns a random schema. Tensors with the name of a feature often use that feature. */
function randomSchema(random: () => number): Schema {
  const schema = randomMessage(SchemaSchema, random);
  if (random() < 0.3) return schema;
  const representations = new Map(getTensorRepresentationsFromSchema(schema));
  for (const { name } of schema.feature) {
    const representation = randomMessage(TensorRepresentationSchema, random);
    const { kind } = representation;
    if (kind.case === "denseTensor" || kind.case === "varlenSparseTensor") kind.value.columnName = name;
    representations.set(name, representation);
  }
  setTensorRepresentationsInSchema(schema, representations);
  return schema;
}

const areSame = (a: Schema, b: Schema): boolean => Buffer.compare(encodeSchema(a), encodeSchema(b)) === 0;

describe("features of random schemas", () => {
  const random = mulberry32(11);
  const schemas = Array.from({ length: 200 }, () => randomSchema(random));
  const cases = schemas.flatMap((schema) =>
    [...new Set(schema.feature.map(({ name }) => name))].map((name) => ({ schema, name })),
  );

  test("lose nothing when they are taken out and put back", () => {
    let numOwn = 0;
    for (const { schema, name } of cases) {
      const feature = featureFrom(schema, name);
      if (feature.representation !== undefined) numOwn++;
      const same = withFeatures(schema, { [name]: feature });
      expect(areSame(same, schema)).toBe(true);
      expect(areSame(decodeSchema(encodeSchema(same)), schema)).toBe(true);
    }
    expect(cases.length).toBeGreaterThan(200);
    expect(numOwn).toBeGreaterThan(15);
  });

  test("are replaced together with their own representations, and restored completely", () => {
    for (const { schema, name } of cases) {
      const replaced = withFeatures(schema, { [name]: int().shape([2]) });
      expect(featureFrom(replaced, name).representation).toBeUndefined();
      const numTensors = getTensorRepresentationsFromSchema(schema)?.size ?? 0;
      const numOwn = featureFrom(schema, name).representation === undefined ? 0 : 1;
      expect(getTensorRepresentationsFromSchema(replaced)?.size ?? 0).toBe(numTensors - numOwn);
      const restored = withFeatures(replaced, { [name]: featureFrom(schema, name) });
      expect(equals(SchemaSchema, restored, schema)).toBe(true);
    }
  });
});
