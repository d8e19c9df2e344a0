import { describe, expect, test } from "@jest/globals";
import {
  ColumnPath,
  formatMessageText,
  inferTensorRepresentationsFromMixedSchema,
  inferTensorRepresentationsFromSchema,
  type NameCollision,
  parseSchemaText,
  TensorRepresentationSchema,
  type TensorRepresentations,
} from "../src/index.js";

const texts = (representations: TensorRepresentations): Record<string, string> =>
  Object.fromEntries(
    [...representations].map(([name, representation]) => [
      name,
      formatMessageText(TensorRepresentationSchema, representation).replaceAll(/\s+/gu, " ").trim(),
    ]),
  );
const infer = (text: string, options = {}): Record<string, string> =>
  texts(inferTensorRepresentationsFromSchema(parseSchemaText(text), options));
const mixed = (text: string, options = {}): Record<string, string> =>
  texts(inferTensorRepresentationsFromMixedSchema(parseSchemaText(text), options));
const rejection = (reason: string, message: string): unknown =>
  expect.objectContaining({ reason, message: expect.stringContaining(message) });

const explicit = (name: string, kind: string, group = ""): string =>
  `tensor_representation_group { key: "${group}" value { tensor_representation { key: "${name}" value { ${kind} } } } }`;

describe("inferTensorRepresentationsFromSchema", () => {
  const sparse = (domain: string): string =>
    `feature { name: "i" type: INT ${domain} } feature { name: "v" type: FLOAT }
     sparse_feature { name: "s" index_feature { name: "i" } value_feature { name: "v" } is_sorted: true }`;

  test("takes the size of a sparse dimension from an int_domain that starts at 0", () => {
    expect(infer(sparse("int_domain { min: 0 max: 4 }"))).toEqual({
      s: 'sparse_tensor: { dense_shape: { dim: { size: 5 } } index_column_names: "i" value_column_name: "v" already_sorted: true }',
    });
  });

  test.each([
    ["int_domain { max: 4 }", "without int_domain.min"],
    ["int_domain { min: 1 max: 4 }", "int_domain.min 1, expected 0"],
    ["int_domain { min: 0 }", "without int_domain.max"],
    ["int_domain { min: 0 max: -2 }", "int_domain.max -2, expected at least -1"],
    ["int_domain { min: 0 max: -5 }", "int_domain.max -5, expected at least -1"],
    ["int_domain { min: 0 max: 9223372036854775807 }", "expected less"],
  ])("rejects an index with %s", (domain, message) => {
    expect(() => infer(sparse(domain))).toThrow(rejection("representation", message));
  });

  test("uses the last declaration of a name that a struct declares twice", () => {
    const struct = (...types: string[]): string =>
      `feature { name: "s" type: STRUCT struct_domain { ${types.map((type) => `feature { name: "p" type: ${type} }`).join(" ")} } }`;
    expect(infer(struct("INT", "FLOAT"))).toEqual(infer(struct("FLOAT")));
    expect(() => infer(struct("INT", "STRUCT"))).toThrow(rejection("nested-struct", '"s.p"'));
    expect(infer(struct("STRUCT", "INT"))).toEqual(infer(struct("INT")));
  });

  test("rejects two tensors with the same name", () => {
    const text =
      'feature { name: "s.c" type: INT } feature { name: "s" type: STRUCT struct_domain { feature { name: "c" type: INT } } }';
    expect(() => infer(text)).toThrow(rejection("representation", '"s.c"'));
    expect(() => infer(`${sparse("")} feature { name: "s" type: INT }`)).toThrow(
      rejection("representation", '"s"'),
    );
  });

  test("rejects sparse features in structs", () => {
    expect(() =>
      infer('feature { name: "s" type: STRUCT struct_domain { sparse_feature { name: "x" } } }'),
    ).toThrow(rejection("nested-struct", 'Remove it, or add an explicit tensor called "s.x".'));
  });

  test("omits inactive features and structs, but keeps inactive children of active structs", () => {
    const text = `feature { name: "a" type: INT lifecycle_stage: VALIDATION_DERIVED }
      feature { name: "s" type: STRUCT struct_domain { feature { name: "c" type: INT lifecycle_stage: ALPHA } } }
      feature { name: "t" type: STRUCT lifecycle_stage: ALPHA struct_domain { feature { name: "c" type: INT } } }`;
    expect(Object.keys(infer(text))).toEqual(["s.c"]);
  });

  test("with the legacy profile, rejects negative bounds, and untyped features that may be missing", () => {
    const legacy = { profile: "legacy" };
    expect(() => infer('feature { name: "a" type: INT value_count { min: -1 max: 2 } }', legacy)).toThrow(
      rejection("representation", "value_count has the bounds -1 and 2"),
    );
    expect(() => infer('feature { name: "a" value_count { min: 1 max: 1 } }', legacy)).toThrow(
      rejection("representation", "no default value"),
    );
  });

  test("with the legacy profile, infers ragged tensors for variable-length features if the schema requests this", () => {
    expect(
      infer('feature { name: "a" type: INT } represent_variable_length_as_ragged: true', {
        profile: "legacy",
      }),
    ).toEqual({
      a: 'ragged_tensor: { feature_path: { step: "a" } }',
    });
  });
});

describe("inferTensorRepresentationsFromMixedSchema", () => {
  test("infers no tensor for the row_length column of an explicit tensor", () => {
    const text = `feature { name: "v" type: INT } feature { name: "n" type: INT } feature { name: "w" type: INT }
      ${explicit("r", 'ragged_tensor { feature_path { step: "v" } partition { row_length: "n" } }')}`;
    expect(Object.keys(mixed(text))).toEqual(["r", "w"]);
  });

  test("accepts a feature for which no tensor can be inferred, if an explicit tensor uses the feature", () => {
    const broken = 'feature { name: "a" type: INT presence { min_fraction: 0.5 } shape {} }';
    expect(() => mixed(broken)).toThrow(rejection("representation", "min_fraction is 0.5"));
    expect(() =>
      mixed(`${broken} ${explicit("other", 'varlen_sparse_tensor { column_name: "b" }')}`),
    ).toThrow(rejection("representation", '"a"'));
    const tensor = 'dense_tensor { column_name: "a" shape {} default_value { int_value: 0 } }';
    expect(Object.keys(mixed(`${broken} ${explicit("filled", tensor)}`))).toEqual(["filled"]);
  });

  test("accepts a struct in a struct if explicit tensors read all features of the inner struct", () => {
    const nested = `feature { name: "s" type: STRUCT struct_domain { feature { name: "t" type: STRUCT
      struct_domain { feature { name: "u" type: INT } } } feature { name: "c" type: INT } } }`;
    expect(() => mixed(nested)).toThrow(rejection("nested-struct", 'step: "s" step: "t" step: "u"'));
    const tensor = 'ragged_tensor { feature_path { step: "s" step: "t" step: "u" } }';
    expect(Object.keys(mixed(`${nested} ${explicit("deep", tensor)}`))).toEqual(["deep", "s.c"]);
  });

  test("accepts a sparse feature in a struct if an explicit tensor has its name", () => {
    const nested = `feature { name: "s" type: STRUCT struct_domain { feature { name: "v" type: INT }
      sparse_feature { name: "x" value_feature { name: "v" } } } }`;
    expect(() => mixed(nested)).toThrow(rejection("nested-struct", '"s.x"'));
    const tensor = 'ragged_tensor { feature_path { step: "s" step: "v" } }';
    expect(Object.keys(mixed(`${nested} ${explicit("s.x", tensor)}`))).toEqual(["s.x"]);
  });

  test("prefers an explicit tensor to an inferred one with the same name, and warns only if their columns differ", () => {
    const features = 'feature { name: "a" type: INT } feature { name: "b" type: INT }';
    const warnings: NameCollision[] = [];
    const onWarning = (warning: NameCollision): unknown => warnings.push(warning);
    expect(
      mixed(`${features} ${explicit("a", 'varlen_sparse_tensor { column_name: "b" }')}`, { onWarning }),
    ).toEqual({
      a: 'varlen_sparse_tensor: { column_name: "b" }',
    });
    expect(warnings).toEqual([
      {
        tensorName: "a",
        path: ColumnPath.of("a"),
        message: expect.stringContaining('No tensor is inferred for "a"'),
      },
    ]);
    warnings.length = 0;
    mixed(`${features} ${explicit("a", 'varlen_sparse_tensor { column_name: "a" }')}`, { onWarning });
    expect(warnings).toEqual([]);
  });

  test("uses the explicit tensors of the requested group only", () => {
    const text = `feature { name: "a" type: INT } ${explicit("x", 'varlen_sparse_tensor { column_name: "a" }', "serving")}`;
    expect(Object.keys(mixed(text))).toEqual(["a"]);
    expect(Object.keys(mixed(text, { group: "serving" }))).toEqual(["x"]);
    expect(Object.keys(mixed(text, { group: "absent" }))).toEqual(["a"]);
  });
});
