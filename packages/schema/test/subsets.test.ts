import { describe, expect, test } from "@jest/globals";
import { forEnvironment, formatSchemaText, parseSchemaText, withoutInactiveFeatures } from "../src/index.js";

const normal = (text: string): string => formatSchemaText(parseSchemaText(text));

describe("forEnvironment", () => {
  const schema = parseSchemaText(`
    default_environment: "TRAINING" default_environment: "SERVING"
    feature { name: "x" type: FLOAT }
    feature { name: "label" type: INT not_in_environment: "SERVING" }
    feature { name: "debug" type: INT in_environment: "REPLAY" not_in_environment: "TRAINING" not_in_environment: "SERVING" }
    feature { name: "s" type: STRUCT struct_domain {
      feature { name: "a" type: INT } feature { name: "b" type: INT not_in_environment: "SERVING" }
      sparse_feature { name: "sp" index_feature { name: "b" } value_feature { name: "a" } } } }
    sparse_feature { name: "sparse" index_feature { name: "label" } value_feature { name: "x" } }
    weighted_feature { name: "w" feature { step: "x" } weight_feature { step: "s" step: "b" } }
    tensor_representation_group { key: "" value {
      tensor_representation { key: "t" value { varlen_sparse_tensor { column_name: "label" } } }
      tensor_representation { key: "u" value { varlen_sparse_tensor { column_name: "x" } } } } }`);

  test("keeps the features of the environment, and drops everything that refers to dropped features", () => {
    expect(formatSchemaText(forEnvironment(schema, "SERVING"))).toBe(
      normal(`default_environment: "TRAINING" default_environment: "SERVING"
        feature { name: "x" type: FLOAT }
        feature { name: "s" type: STRUCT struct_domain { feature { name: "a" type: INT } } }
        tensor_representation_group { key: "" value {
          tensor_representation { key: "u" value { varlen_sparse_tensor { column_name: "x" } } } } }`),
    );
    const training = forEnvironment(schema, "TRAINING");
    expect(training.feature.map(({ name }) => name)).toEqual(["x", "label", "s"]);
    expect(training.sparseFeature).toHaveLength(1);
    expect(training.weightedFeature).toHaveLength(1);
    expect(schema.feature).toHaveLength(4);
  });

  test("keeps only the features that list the environment, if it is not a default environment", () => {
    expect(forEnvironment(schema, "REPLAY").feature.map(({ name }) => name)).toEqual(["debug"]);
  });

  test("lists the environments in the error for an unknown name", () => {
    expect(() => forEnvironment(schema, "SERVNG")).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        reason: "unknown-environment",
        message: expect.stringContaining('"TRAINING", "SERVING", "REPLAY"'),
      }),
    );
  });
});

describe("withoutInactiveFeatures", () => {
  test("drops inactive features at every level, with everything that refers to them", () => {
    const schema = parseSchemaText(`
      feature { name: "a" type: INT } feature { name: "b" type: INT deprecated: true }
      feature { name: "c" type: INT lifecycle_stage: BETA }
      feature { name: "s" type: STRUCT struct_domain {
        feature { name: "d" type: INT lifecycle_stage: DISABLED } feature { name: "e" type: INT }
        sparse_feature { name: "old" lifecycle_stage: ALPHA index_feature { name: "e" } value_feature { name: "e" } }
        sparse_feature { name: "new" index_feature { name: "e" } value_feature { name: "e" } } } }
      sparse_feature { name: "sp" lifecycle_stage: ALPHA index_feature { name: "a" } value_feature { name: "c" } }
      weighted_feature { name: "w" lifecycle_stage: DEPRECATED feature { step: "a" } weight_feature { step: "c" } }
      tensor_representation_group { key: "g" value {
        tensor_representation { key: "t" value { ragged_tensor { feature_path { step: "s" step: "d" } } } } } }`);
    expect(formatSchemaText(withoutInactiveFeatures(schema))).toBe(
      normal(`feature { name: "a" type: INT } feature { name: "c" type: INT lifecycle_stage: BETA }
        feature { name: "s" type: STRUCT struct_domain { feature { name: "e" type: INT }
          sparse_feature { name: "new" index_feature { name: "e" } value_feature { name: "e" } } } }
        tensor_representation_group { key: "g" value {} }`),
    );
  });
});
