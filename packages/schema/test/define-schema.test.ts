import { equals } from "@bufbuild/protobuf";
import { describe, expect, test } from "@jest/globals";
import {
  type AnyFeatureBuilder,
  bytes,
  createTfExampleParserConfig,
  defineSchema,
  explain,
  type FeatureKindOf,
  type FeatureNames,
  type FeatureShapeOf,
  FeatureType,
  featureFrom,
  float,
  formatSchemaText,
  getTensorRepresentationsFromSchema,
  inferTensorRepresentationsFromMixedSchema,
  int,
  parseSchemaText,
  type Schema,
  SchemaSchema,
  struct,
  withFeatures,
} from "../src/index.js";

/** Is `true` if both types are assignable to each other, and `false` otherwise. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
function expectSame<A, B>(same: Same<A, B>): void {
  expect(same).toBe(true);
}

/** Returns the text of a schema in canonical order, for comparison. */
const normal = (text: string): string => formatSchemaText(parseSchemaText(text));

describe("defineSchema", () => {
  test("creates the schema that an equivalent text describes", () => {
    const schema = defineSchema({
      features: {
        age: int().shape([]).range({ min: 0, max: 130 }),
        pixels: float().shape([28, 28]),
        words: bytes().valueCount(0, 9).values(["yes", "no"]).notInEnvironments("SERVING"),
        user: struct({ id: int(), tags: bytes() }),
        draft: float()
          .stage("ALPHA")
          .range({ min: 0.5, max: 1, categorical: true })
          .presence({ minCount: 3 }),
        label: int().inEnvironments("TRAINING"),
      },
      environments: ["TRAINING", "SERVING"],
      variableLength: "ragged",
    });
    expect(formatSchemaText(schema)).toBe(
      normal(`feature { name: "age" type: INT int_domain { min: 0 max: 130 } presence { min_fraction: 1 } shape {} }
       feature { name: "pixels" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 28 } dim { size: 28 } } }
       feature { name: "words" type: BYTES value_count { min: 0 max: 9 } string_domain { value: "yes" value: "no" }
                 not_in_environment: "SERVING" }
       feature { name: "user" type: STRUCT struct_domain { feature { name: "id" type: INT } feature { name: "tags" type: BYTES } } }
       feature { name: "draft" type: FLOAT lifecycle_stage: ALPHA presence { min_count: 3 }
                 float_domain { min: 0.5 max: 1 is_categorical: true } }
       feature { name: "label" type: INT in_environment: "TRAINING" }
       default_environment: "TRAINING" default_environment: "SERVING"
       represent_variable_length_as_ragged: true`),
    );
  });

  test("writes sparse features and explicit representations", () => {
    const schema = defineSchema({
      features: { i: int().range({ min: 0, max: 9 }), v: float() },
      sparseFeatures: { s: { indices: ["i"], values: "v", sorted: true } },
      representations: { v: { kind: { case: "raggedTensor", value: { featurePath: { step: ["v"] } } } } },
    });
    expect(formatSchemaText(schema)).toBe(
      normal(`feature { name: "i" type: INT int_domain { min: 0 max: 9 } } feature { name: "v" type: FLOAT }
       sparse_feature { name: "s" index_feature { name: "i" } value_feature { name: "v" } is_sorted: true }
       tensor_representation_group { key: "" value { tensor_representation { key: "v" value {
         ragged_tensor { feature_path { step: "v" } } } } } }`),
    );
  });

  test("writes the default value of a feature to an explicit representation", () => {
    const schema = defineSchema({
      features: {
        age: int().shape([2]).default(-1),
        name: bytes().shape([]).default("é"),
        x: float().shape([]).default(0.5),
      },
    });
    expect(formatSchemaText(schema)).toBe(
      normal(`feature { name: "age" type: INT value_count { min: 2 max: 2 } }
       feature { name: "name" type: BYTES value_count { min: 1 max: 1 } }
       feature { name: "x" type: FLOAT value_count { min: 1 max: 1 } }
       tensor_representation_group { key: "" value {
         tensor_representation { key: "age" value { dense_tensor { column_name: "age" shape { dim { size: 2 } } default_value { int_value: -1 } } } }
         tensor_representation { key: "name" value { dense_tensor { column_name: "name" shape {} default_value { bytes_value: "\\303\\251" } } } }
         tensor_representation { key: "x" value { dense_tensor { column_name: "x" shape {} default_value { float_value: 0.5 } } } } } }`),
    );
    const representation = inferTensorRepresentationsFromMixedSchema(schema).get("age");
    expect(representation && createTfExampleParserConfig(representation, FeatureType.INT)).toEqual({
      kind: "FixedLenFeature",
      dtype: "int64",
      shape: [2],
      defaultValue: [-1n, -1n],
    });
  });

  test("rejects invalid sizes and defaults", () => {
    expect(() => int().shape([2, -1])).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "shape" }),
    );
    expect(() => int().shape([0.5])).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "shape" }),
    );
    for (const value of [2n ** 63n, -(2n ** 63n) - 1n, 0.5, 2 ** 60]) {
      expect(() => int().shape([]).default(value)).toThrow(
        expect.objectContaining({ code: "invalid-argument", reason: "int64" }),
      );
    }
    expect(() => int().shape([]).default(0.5)).toThrow("The default value must be a bigint in");
    expect(() => int().valueCount(0, 1.5)).toThrow("valueCount: max must be a bigint in");
    expect(() => int().range({ min: 2 ** 60 })).toThrow("range: min must be a bigint in");
    expect(() =>
      int()
        .shape([])
        .default(-(2n ** 63n)),
    ).not.toThrow();
  });

  test.each<[string, string | undefined, string | undefined, () => unknown]>([
    ["a range whose min is above its max", "bounds", "range", () => int().range({ min: 5, max: 1 })],
    ["a range whose min is NaN", "bounds", "range", () => float().range({ min: Number.NaN })],
    ["an unknown option of a range", "unknown-option", "mni", () => int().range({ mni: 5 } as never)],
    ["a value count whose max is below its min", "bounds", "valueCount", () => int().valueCount(5, 2)],
    ["a negative value count", "bounds", "valueCount", () => int().valueCount(-1, 2)],
    ["a value count whose max is not an integer", "int64", undefined, () => int().valueCount(0, 0.5)],
    ["a minFraction above 1", "bounds", "minFraction", () => int().presence({ minFraction: 1.5 })],
    ["a shape that is not a list", undefined, "dimensions", () => int().shape(3 as never)],
    [
      "a default without a shape",
      "shape",
      "value",
      () => (int() as never as AnyFeatureBuilder & { default(value: number): unknown }).default(3),
    ],
    ["values that are not a list", undefined, "values", () => bytes().values("yes" as never)],
    ["an unknown stage", undefined, "stage", () => int().stage("FINISHED" as never)],
    [
      "a feature that is not a builder",
      undefined,
      "features.a",
      () => defineSchema({ features: { a: 5 as never } }),
    ],
    [
      "a feature that is null",
      undefined,
      "features.a",
      () => withFeatures(defineSchema({ features: {} }), { a: null as never }),
    ],
    [
      "a schema that is not a Schema message",
      undefined,
      "schema",
      () => withFeatures(undefined as never, { a: int() }),
    ],
    ["a child that is not a builder", undefined, "children.a", () => struct({ a: "int" as never })],
    ["a definition without features", undefined, "features", () => defineSchema({} as never)],
    ["a missing definition", undefined, "options", () => defineSchema(undefined as never)],
    ["an unknown key", "unknown-option", "zork", () => defineSchema({ features: {}, zork: 1 } as never)],
    [
      "an unknown variableLength",
      undefined,
      "variableLength",
      () => defineSchema({ features: {}, variableLength: "raged" as never }),
    ],
    [
      "an index that is not a feature",
      undefined,
      "sparseFeatures.s",
      () =>
        defineSchema({
          features: { v: int() },
          sparseFeatures: { s: { indices: ["i" as never], values: "v" } },
        }),
    ],
    [
      "a misspelt environment",
      "unknown-environment",
      "notInEnvironments",
      () => defineSchema({ features: { a: int().notInEnvironments("SERVNG") }, environments: ["SERVING"] }),
    ],
    [
      "a misspelt environment of a child",
      "unknown-environment",
      "notInEnvironments",
      () => defineSchema({ features: { s: struct({ a: int().notInEnvironments("X") }) } }),
    ],
  ])("rejects %s", (_name, reason, argument, define) => {
    expect(define).toThrow(expect.objectContaining({ code: "invalid-argument", reason, argument }));
  });

  test.each<[string, () => unknown]>([
    ["defineSchema: options must be an object, found undefined.", () => defineSchema(undefined as never)],
    [
      'defineSchema: variableLength must be "sparse" or "ragged", found "raged".',
      () => defineSchema({ features: {}, variableLength: "raged" as never }),
    ],
    [
      'defineSchema: environments must be a list of names, found "SERVING".',
      () => defineSchema({ features: {}, environments: "SERVING" as never }),
    ],
    [
      "defineSchema: sparseFeatures must be an object, found an empty list.",
      () => defineSchema({ features: {}, sparseFeatures: [] as never }),
    ],
    [
      'sparseFeatures.s.indices must be a list of names, found "i".',
      () =>
        defineSchema({
          features: { i: int(), v: int() },
          sparseFeatures: { s: { indices: "i" as never, values: "v" } },
        }),
    ],
    [
      'sparseFeatures.s has no option "sort"; it has indices, values, sorted.',
      () =>
        defineSchema({
          features: { i: int(), v: int() },
          sparseFeatures: { s: { indices: ["i"], values: "v", sort: true } as never },
        }),
    ],
    [
      "features.a must be a feature made by int(), float(), bytes(), struct() or featureFrom(), found 5.",
      () => defineSchema({ features: { a: 5 as never } }),
    ],
    ["shape: dimensions must be a list, found 3.", () => int().shape(3 as never)],
    ["shape: dimensions[1] must be an integer of at least 0, found -1.", () => int().shape([2, -1])],
    ['range has no option "mni"; it has min, max, categorical.', () => int().range({ mni: 5 } as never)],
    ["range: min must not exceed max, found min 5 and max 1.", () => int().range({ min: 5, max: 1 })],
    ["valueCount must have a min of at least 0, found -1.", () => int().valueCount(-1, 2)],
    ["range: categorical must be true or false, found 1.", () => int().range({ categorical: 1 as never })],
    ['values must be a list of strings, found "yes".', () => bytes().values("yes" as never)],
    [
      'stage must be "UNKNOWN_STAGE", "PLANNED", "ALPHA", "BETA", "PRODUCTION", "DEPRECATED", "DEBUG_ONLY", "DISABLED" or "VALIDATION_DERIVED", found "FINISHED".',
      () => int().stage("FINISHED" as never),
    ],
    [
      'value must be a default for a feature of kind int, found "x".',
      () =>
        int()
          .shape([])
          .default("x" as never),
    ],
  ])("rejects with the message: %s", (message, define) => {
    expect(define).toThrow(expect.objectContaining({ message: `[invalid-argument] ${message}` }));
  });

  test("lets a feature exclude an environment that only another feature includes", () => {
    const features = { a: int().notInEnvironments("SERVING"), b: int().inEnvironments("SERVING") };
    expect(defineSchema({ features }).feature.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("rejects a default value if the feature is in a struct or has an explicit representation", () => {
    expect(() => struct({ a: int().shape([]).default(0) })).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "default-in-struct" }),
    );
    const age = int().shape([]).default(0);
    const kind = { case: "varlenSparseTensor", value: { columnName: "age" } } as const;
    expect(() => defineSchema({ features: { age }, representations: { age: { kind } } })).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "two-representations" }),
    );
  });

  test("takes immutable builders: each method returns a new one", () => {
    const variable = int();
    variable.shape([3]).stage("ALPHA").default(0);
    expect(variable.message.shapeType.case).toBeUndefined();
    expect(variable.dimensions).toBeUndefined();
    expect(variable.message.lifecycleStage).toBe(0);
  });
});

describe("withFeatures and featureFrom", () => {
  const loaded = parseSchemaText(`
    feature { name: "a" type: INT drift_comparator { infinity_norm { threshold: 0.1 } } annotation { tag: "t" } }
    feature { name: "b" }
    feature { name: "s" type: STRUCT struct_domain { feature { name: "c" type: FLOAT image_domain {} } } }
    string_domain { name: "d" value: "x" }
    dataset_constraints { min_examples_count: 5 }
    weighted_feature { name: "w" feature { step: "a" } weight_feature { step: "b" } }`);

  test("lose nothing when every feature is taken out and put back", () => {
    const features = Object.fromEntries(loaded.feature.map(({ name }) => [name, featureFrom(loaded, name)]));
    expect(equals(SchemaSchema, withFeatures(loaded, features), loaded)).toBe(true);
  });

  test("replace a feature together with its own representation, and keep the other representations", () => {
    const schema = defineSchema({
      features: { age: int().shape([]).default(-1), size: float().shape([2]).default(0) },
      representations: { again: { kind: { case: "varlenSparseTensor", value: { columnName: "age" } } } },
    });
    const explained = (after: Schema) =>
      explain(after).tensors.map(({ tensorName, rule, spec }) => [tensorName, rule, spec.kind]);
    const [again, own, size] = explained(schema);
    expect(again).toEqual(["again", "explicit", "sparse"]);
    expect([own, size]).toEqual([
      ["age", "explicit", "tensor"],
      ["size", "explicit", "tensor"],
    ]);

    const variable = withFeatures(schema, { age: featureFrom(schema, "age").valueCount(0, 5) });
    expect(getTensorRepresentationsFromSchema(variable)?.has("age")).toBe(false);
    expect([...(getTensorRepresentationsFromSchema(variable)?.keys() ?? [])]).toEqual(["again", "size"]);

    const alone = defineSchema({ features: { age: int().shape([]).default(-1) } });
    for (const age of [int().shape([2]), bytes(), featureFrom(alone, "age").valueCount(0, 5)]) {
      const replaced = withFeatures(alone, { age });
      expect(formatSchemaText(replaced)).toBe(formatSchemaText(defineSchema({ features: { age } })));
    }
    const [shaped] = explain(withFeatures(alone, { age: int().shape([2]) })).tensors;
    expect(shaped).toMatchObject({ rule: "fixed-shape", spec: { kind: "tensor", shape: [null, 2] } });
    const refilled = withFeatures(alone, { age: featureFrom(alone, "age").default(7).stage("BETA") });
    expect(featureFrom(refilled, "age").defaultValue?.kind).toEqual({ case: "intValue", value: 7n });
    expect(featureFrom(refilled, "age").dimensions).toEqual([]);
  });

  test("keep a representation that builders cannot express, even when the feature is copied to a new name", () => {
    const before = parseSchemaText(`feature { name: "a" type: INT }
      tensor_representation_group { key: "" value { tensor_representation { key: "a" value {
        ragged_tensor { feature_path { step: "a" } row_partition_dtype: INT32 } } } } }`);
    const after = withFeatures(before, {
      a: featureFrom(before, "a").stage("BETA"),
      b: featureFrom(before, "a"),
    });
    expect(formatSchemaText(after)).toBe(
      normal(`feature { name: "a" type: INT lifecycle_stage: BETA } feature { name: "b" type: INT }
        tensor_representation_group { key: "" value {
          tensor_representation { key: "a" value { ragged_tensor { feature_path { step: "a" } row_partition_dtype: INT32 } } }
          tensor_representation { key: "b" value { ragged_tensor { feature_path { step: "b" } row_partition_dtype: INT32 } } } } }`),
    );
  });

  test("reject a default value for a feature if the explicit tensor with its name reads another column", () => {
    const schema = parseSchemaText(`feature { name: "a" type: INT } feature { name: "b" type: INT }
      tensor_representation_group { key: "" value { tensor_representation { key: "a" value {
        varlen_sparse_tensor { column_name: "b" } } } } }`);
    expect(() => withFeatures(schema, { a: int().shape([]).default(0) })).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "two-representations" }),
    );
    expect(getTensorRepresentationsFromSchema(withFeatures(schema, { a: int() }))?.size).toBe(1);
  });

  test("change one feature, add a new feature, and keep everything else, even what builders cannot express", () => {
    const before = parseSchemaText(
      'feature { name: "a" type: INT unique_constraints { min: 2 } } string_domain { name: "d" }',
    );
    const after = withFeatures(before, {
      a: featureFrom(before, "a").with({ annotation: { tag: ["t"] } }),
      z: float()
        .shape([1])
        .with({ uniqueConstraints: { max: 4n } }),
    });
    expect(formatSchemaText(after)).toBe(
      normal(`feature { name: "a" type: INT unique_constraints { min: 2 } annotation { tag: "t" } }
       feature { name: "z" type: FLOAT shape { dim { size: 1 } } presence { min_fraction: 1 } unique_constraints { max: 4 } }
       string_domain { name: "d" }`),
    );
    expect(formatSchemaText(before)).toBe(
      normal('feature { name: "a" type: INT unique_constraints { min: 2 } } string_domain { name: "d" }'),
    );
  });

  test("change features whose kinds are known only at run time, and reject changes that do not fit the kind", () => {
    const [a, s] = [featureFrom(loaded, "a"), featureFrom(loaded, "s")];
    const after = withFeatures(loaded, { a: a.shape([2]).default(1).range({ max: 5 }) });
    expect(after.feature[0]).toMatchObject({
      shapeType: { case: "valueCount", value: { min: 2n, max: 2n } },
      domainInfo: { case: "intDomain", value: { max: 5n } },
      annotation: { tag: ["t"] },
    });
    const rejection = expect.objectContaining({ code: "invalid-argument", reason: "feature-kind" });
    expect(() => s.shape([])).toThrow(rejection);
    expect(() => a.values(["x"])).toThrow(rejection);
    expect(() => s.range({ min: 0 })).toThrow(rejection);
    expect(() => a.shape([]).default("x")).toThrow(rejection);
  });

  test("keep a feature's shape and default value", () => {
    const schema = defineSchema({ features: { age: int().shape([2]).default(7) } });
    const age = featureFrom(schema, "age");
    expect(age.dimensions).toEqual([2]);
    expect(age.defaultValue?.kind).toEqual({ case: "intValue", value: 7n });
  });

  test("list the existing features in the error for an unknown name", () => {
    expect(() => featureFrom(loaded, "x")).toThrow(
      expect.objectContaining({
        code: "schema-mismatch",
        reason: "no-such-feature",
        message: expect.stringContaining('"a", "b", "s"'),
      }),
    );
  });
});

describe("static types of a schema", () => {
  const schema = defineSchema({
    features: {
      age: int().shape([]),
      pixels: float().shape([28, 28]).default(0),
      words: bytes(),
      user: struct({ id: int() }),
    },
  });
  type S = typeof schema;

  test("contain names, kinds and shapes", () => {
    expectSame<FeatureNames<S>, "age" | "pixels" | "words" | "user">(true);
    expectSame<FeatureKindOf<S, "age">, "int">(true);
    expectSame<FeatureKindOf<S, "user">, "struct">(true);
    expectSame<FeatureShapeOf<S, "age">, readonly []>(true);
    expectSame<FeatureShapeOf<S, "pixels">, readonly [28, 28]>(true);
    expectSame<FeatureShapeOf<S, "words">, undefined>(true);
    expectSame<FeatureNames<Schema>, string>(true);
    const extended = withFeatures(schema, { words: float().shape([3]), more: int() });
    expectSame<FeatureNames<typeof extended>, "age" | "pixels" | "words" | "user" | "more">(true);
    expectSame<FeatureKindOf<typeof extended, "words">, "float">(true);
    expectSame<FeatureShapeOf<typeof extended, "words">, readonly [3]>(true);
    const plain: Schema = schema;
    expect(plain.feature).toHaveLength(4);
  });

  test("reject invalid calls to builder methods, unknown feature names, and sparse indices that are not int features", () => {
    const rejected = (): void => {
      // @ts-expect-error a struct has no shape
      struct({}).shape([]);
      // @ts-expect-error a default value needs a fixed shape
      int().default(0);
      // @ts-expect-error a default of the wrong kind
      float().shape([]).default("0");
      // @ts-expect-error a range of byte strings
      bytes().range({ min: 0 });
      // @ts-expect-error string values of an int feature
      int().values(["yes"]);
      // @ts-expect-error the shape is part of the type
      int().with({ shapeType: { case: undefined } });
      // @ts-expect-error no such stage
      int().stage("FINISHED");
      // @ts-expect-error no feature with this name
      featureFrom(schema, "agee");
      // @ts-expect-error an index that is not an int feature
      defineSchema({ features: { v: float() }, sparseFeatures: { s: { indices: ["v"], values: "v" } } });
    };
    expect(rejected).toBeDefined();
  });
});
