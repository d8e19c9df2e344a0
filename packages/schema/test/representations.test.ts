import { create, equals } from "@bufbuild/protobuf";
import { describe, expect, test } from "@jest/globals";
import {
  checkTensorRepresentations,
  createTfExampleParserConfig,
  createTfSequenceExampleParserConfig,
  FeatureType,
  formatSchemaText,
  getSourceValueColumn,
  getTensorRepresentationsFromSchema,
  parseMessageText,
  parseSchemaText,
  projectTensorRepresentationsInSchema,
  type Schema,
  SchemaSchema,
  setTensorRepresentationsInSchema,
  type TensorRepresentation,
  TensorRepresentationSchema,
  validateTensorRepresentationsInSchema,
} from "../src/index.js";

const representation = (text: string): TensorRepresentation =>
  parseMessageText(TensorRepresentationSchema, text);
const withTensor = (features: string, tensor: string): Schema =>
  parseSchemaText(
    `${features} tensor_representation_group { key: "" value { tensor_representation { key: "t" value { ${tensor} } } } }`,
  );
const thrown = (code: string, reason: string, message = ""): unknown =>
  expect.objectContaining({ code, reason, message: expect.stringContaining(message) });

describe("setTensorRepresentationsInSchema", () => {
  test("replaces one group with copies of the given representations, and keeps the other groups", () => {
    const schema = withTensor("", 'varlen_sparse_tensor { column_name: "a" }');
    const tensor = representation('varlen_sparse_tensor { column_name: "b" }');
    setTensorRepresentationsInSchema(schema, new Map([["u", tensor]]), "other");
    setTensorRepresentationsInSchema(schema, new Map([["v", tensor]]));
    tensor.kind = { case: undefined };
    expect([...(getTensorRepresentationsFromSchema(schema)?.keys() ?? [])]).toEqual(["v"]);
    expect(getTensorRepresentationsFromSchema(schema)?.get("v")?.kind.case).toBe("varlenSparseTensor");
    expect([...(getTensorRepresentationsFromSchema(schema, "other")?.keys() ?? [])]).toEqual(["u"]);
    expect(getTensorRepresentationsFromSchema(schema, "toString")).toBeUndefined();
  });
});

describe("getSourceValueColumn", () => {
  test("rejects a representation without a kind", () => {
    expect(() => getSourceValueColumn(create(TensorRepresentationSchema))).toThrow(
      thrown("schema-invalid", "representation"),
    );
  });
});

describe("createTfExampleParserConfig", () => {
  const dense = (value: string): TensorRepresentation =>
    representation(`dense_tensor { column_name: "a" shape { dim { size: 2 } } default_value { ${value} } }`);

  test.each([
    ["INT", "float_value: 1"],
    ["INT", "uint_value: 1"],
    ["FLOAT", "int_value: 1"],
    ["BYTES", "int_value: 1"],
    ["INT", ""],
  ] as const)("with the feature type %s rejects the default { %s }", (type, value) => {
    expect(() => createTfExampleParserConfig(dense(value), FeatureType[type])).toThrow(
      thrown("schema-invalid", "bad-default"),
    );
  });

  test.each(["TYPE_UNKNOWN", "STRUCT"] as const)("rejects a feature of type %s", (type) => {
    const tensor = representation('varlen_sparse_tensor { column_name: "a" }');
    expect(() => createTfExampleParserConfig(tensor, FeatureType[type])).toThrow(
      thrown("schema-invalid", "feature-type"),
    );
  });

  test.each(["9007199254740993", "-9007199254740993"])(
    "names the column in the error for a dimension of size %s",
    (size) => {
      const tensor = representation(`dense_tensor { column_name: "a" shape { dim { size: ${size} } } }`);
      const message = `A dimension of "a" must have a size from -(2^53 - 1) to 2^53 - 1, found ${size}.`;
      expect(() => createTfExampleParserConfig(tensor, FeatureType.INT)).toThrow(
        thrown("schema-invalid", "representation", message),
      );
    },
  );

  test.each(["size: -1", "size: 9007199254740993", "size: 100000000"])(
    "rejects a default value for a shape with the dimension { %s }",
    (size) => {
      const tensor = representation(
        `dense_tensor { column_name: "a" shape { dim { ${size} } } default_value { int_value: 0 } }`,
      );
      expect(() => createTfExampleParserConfig(tensor, FeatureType.INT)).toThrow(
        thrown("schema-invalid", "representation"),
      );
    },
  );

  test.each([
    ["", "schema-invalid", "representation"],
    ["ragged_tensor {}", "unsupported", "feature-path"],
    ['ragged_tensor { feature_path { step: "a" } partition {} }', "schema-invalid", "representation"],
  ])("rejects the representation { %s }", (text, code, reason) => {
    expect(() => createTfExampleParserConfig(representation(text), FeatureType.INT)).toThrow(
      thrown(code, reason),
    );
  });

  test("keeps both kinds of partitions in order", () => {
    const text =
      'ragged_tensor { feature_path { step: "a" } partition { uniform_row_length: 2 } partition { row_length: "n" } }';
    expect(createTfExampleParserConfig(representation(text), FeatureType.BYTES)).toEqual({
      kind: "RaggedFeature",
      dtype: "string",
      valueKey: "a",
      partitions: [{ uniformRowLength: 2 }, { rowLengths: "n" }],
      rowSplitsDtype: "int64",
    });
  });
});

describe("createTfSequenceExampleParserConfig", () => {
  test("rejects missing columns and paths that are too deep", () => {
    const missing = withTensor("", 'varlen_sparse_tensor { column_name: "a" }');
    expect(() => createTfSequenceExampleParserConfig(missing)).toThrow(
      thrown("schema-invalid", "representation", '"a"'),
    );
    const deep = withTensor("", 'ragged_tensor { feature_path { step: "a" step: "b" step: "c" } }');
    expect(() => createTfSequenceExampleParserConfig(deep)).toThrow(
      thrown("unsupported", "feature-path", '"a.b.c"'),
    );
  });
});

describe("projectTensorRepresentationsInSchema", () => {
  const sequence = parseSchemaText(`
    feature { name: "i" type: INT domain: "used" }
    feature { name: "##SEQUENCE##" type: STRUCT struct_domain { feature { name: "s" type: BYTES } feature { name: "t" type: INT } } }
    string_domain { name: "used" value: "x" } string_domain { name: "unused" }
    default_environment: "E"`);

  test("keeps only the required features of a struct", () => {
    const projected = projectTensorRepresentationsInSchema(sequence, ["##SEQUENCE##.t"]);
    const expected = parseSchemaText(`
      feature { name: "##SEQUENCE##" type: STRUCT struct_domain { feature { name: "t" type: INT } } }
      default_environment: "E"
      tensor_representation_group { key: "" value { tensor_representation { key: "##SEQUENCE##.t" value {
        ragged_tensor { feature_path { step: "##SEQUENCE##" step: "t" } } } } } }`);
    expect(formatSchemaText(projected)).toBe(formatSchemaText(expected));
    expect(sequence.feature).toHaveLength(2);
  });

  test("keeps only the domains that the projected features use", () => {
    const projected = projectTensorRepresentationsInSchema(sequence, ["i"]);
    expect(projected.stringDomain.map(({ name }) => name)).toEqual(["used"]);
  });

  test("is idempotent", () => {
    const once = projectTensorRepresentationsInSchema(sequence, ["i"]);
    expect(equals(SchemaSchema, projectTensorRepresentationsInSchema(once, ["i"]), once)).toBe(true);
  });

  test("rejects an unknown tensor, and a source column that is not a feature", () => {
    expect(() => projectTensorRepresentationsInSchema(sequence, ["i", "x"])).toThrow(
      thrown("schema-mismatch", "projection", 'no tensors "x"'),
    );
    const dangling = withTensor(
      'feature { name: "a" type: INT }',
      'varlen_sparse_tensor { column_name: "b" }',
    );
    expect(() => projectTensorRepresentationsInSchema(dangling, ["t"])).toThrow(
      thrown("schema-mismatch", "projection", 'no features "b"'),
    );
  });
});

describe("checkTensorRepresentations and validateTensorRepresentationsInSchema", () => {
  const features = `feature { name: "i" type: INT } feature { name: "f" type: FLOAT }`;

  test("accept a group that uses every feature", () => {
    const schema = withTensor(
      features,
      'sparse_tensor { dense_shape { dim { size: 3 } } index_column_names: "i" value_column_name: "f" }',
    );
    expect(checkTensorRepresentations(schema)).toEqual([]);
    expect(() => validateTensorRepresentationsInSchema(schema)).not.toThrow();
  });

  test("find missing columns and unused features, or a missing group", () => {
    const schema = withTensor(
      features,
      'sparse_tensor { index_column_names: "x" index_column_names: "y" value_column_name: "f" }',
    );
    expect(
      checkTensorRepresentations(schema).map(({ kind, columnPath }) => [kind, columnPath?.toString()]),
    ).toEqual([
      ["missing-column", "x"],
      ["missing-column", "y"],
      ["unused-feature", "i"],
    ]);
    expect(() => validateTensorRepresentationsInSchema(schema)).toThrow(
      thrown("schema-invalid", "validation", '"y"'),
    );
    expect(checkTensorRepresentations(schema, "absent").map(({ kind }) => kind)).toEqual(["no-group"]);
  });

  test("report invalid tensors before unused features", () => {
    const dense = withTensor(
      features,
      'dense_tensor { column_name: "i" shape {} default_value { float_value: 0 } }',
    );
    expect(() => validateTensorRepresentationsInSchema(dense)).toThrow(
      thrown("schema-invalid", "bad-default"),
    );
    const ragged = withTensor(features, 'ragged_tensor { feature_path { step: "i" } partition {} }');
    expect(() => validateTensorRepresentationsInSchema(ragged)).toThrow(
      thrown("schema-invalid", "representation"),
    );
    const missing = withTensor(features, 'dense_tensor { column_name: "x" shape { dim { size: -2 } } }');
    expect(() => validateTensorRepresentationsInSchema(missing)).toThrow(
      thrown("schema-invalid", "validation", '"x"'),
    );
  });

  test.each([
    [
      'dense_tensor { column_name: "i" shape {} default_value { float_value: 0 } }',
      "bad-default",
      "bad-default",
    ],
    ['dense_tensor { column_name: "f" shape {} default_value {} }', "bad-default", "bad-default"],
    ['dense_tensor { column_name: "f" shape { dim { size: -2 } } }', "contradiction", "representation"],
    ['sparse_tensor { index_column_names: "f" value_column_name: "i" }', "contradiction", "representation"],
    [
      'sparse_tensor { dense_shape { dim { size: 1 } dim { size: 1 } } index_column_names: "i" value_column_name: "f" }',
      "contradiction",
      "representation",
    ],
    [
      'ragged_tensor { feature_path { step: "i" } partition { row_length: "f" } }',
      "contradiction",
      "representation",
    ],
    [
      'ragged_tensor { feature_path { step: "i" } partition { uniform_row_length: 0 } }',
      "contradiction",
      "representation",
    ],
    ['ragged_tensor { feature_path { step: "i" } partition {} }', "contradiction", "representation"],
    ["", "contradiction", "representation"],
  ])("find the error in the representation { %s }", (tensor, kind, reason) => {
    const schema = withTensor(features, tensor);
    setTensorRepresentationsInSchema(
      schema,
      new Map([
        ...(getTensorRepresentationsFromSchema(schema) ?? []),
        ["i", representation('varlen_sparse_tensor { column_name: "i" }')],
        ["f", representation('varlen_sparse_tensor { column_name: "f" }')],
      ]),
    );
    expect(checkTensorRepresentations(schema)).toEqual([expect.objectContaining({ kind, tensorName: "t" })]);
    expect(() => validateTensorRepresentationsInSchema(schema)).toThrow(thrown("schema-invalid", reason));
  });
});
