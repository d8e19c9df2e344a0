import { describe, expect, test } from "@jest/globals";
import { explain, formatExplanation, parseSchemaText } from "../src/index.js";

const schema = parseSchemaText(`
  feature { name: "dense" type: INT presence { min_fraction: 1 } shape { dim { size: 2 } dim { size: 3 } } }
  feature { name: "words" type: BYTES value_count { min: 1 max: 9 } }
  feature { name: "i" type: INT } feature { name: "v" type: FLOAT }
  sparse_feature { name: "sparse" index_feature { name: "i" } value_feature { name: "v" } }
  feature { name: "user" type: STRUCT struct_domain { feature { name: "id" type: INT } } }
  feature { name: "old" type: INT lifecycle_stage: DEPRECATED }
  feature { name: "partial" type: FLOAT presence { min_fraction: 0.5 } shape {} }
  feature { name: "deep" type: STRUCT struct_domain { feature { name: "er" type: STRUCT } } }
  feature { name: "untyped" } feature { name: "empty" type: STRUCT }
  feature { name: "values" type: FLOAT } feature { name: "lengths" type: INT }
  tensor_representation_group { key: "" value {
    tensor_representation { key: "ragged" value { ragged_tensor { feature_path { step: "values" }
      partition { row_length: "lengths" } partition { uniform_row_length: 4 } row_partition_dtype: INT32 } } }
    tensor_representation { key: "lost" value { dense_tensor { column_name: "nowhere" shape {} } } } } }`);

describe("explain", () => {
  const { tensors, featuresWithoutTensor } = explain(schema);

  test("lists the rule, the source columns and the spec of each tensor", () => {
    expect(
      tensors.map(({ tensorName, rule, sourceColumns, spec }) => [
        tensorName,
        rule,
        sourceColumns.join(),
        spec,
      ]),
    ).toEqual([
      [
        "ragged",
        "explicit",
        "values,lengths",
        {
          kind: "ragged",
          dtype: "float32",
          shape: [null, null, null, 4],
          raggedRank: 2,
          rowSplitsDtype: "int32",
        },
      ],
      ["lost", "explicit", "nowhere", { kind: "tensor", dtype: undefined, shape: [null] }],
      ["sparse", "sparse-feature", "i,v", { kind: "sparse", dtype: "float32", shape: [null, null] }],
      ["dense", "fixed-shape", "dense", { kind: "tensor", dtype: "int64", shape: [null, 2, 3] }],
      ["words", "variable-length", "words", { kind: "sparse", dtype: "string", shape: [null, null] }],
      [
        "user.id",
        "struct-child",
        "user.id",
        { kind: "ragged", dtype: "int64", shape: [null, null, null], raggedRank: 2, rowSplitsDtype: "int64" },
      ],
      ["untyped", "variable-length", "untyped", { kind: "sparse", dtype: undefined, shape: [null, null] }],
    ]);
  });

  test("predicts the problems of a tensor whose column is missing or has no type", () => {
    const problems = new Map(tensors.map((tensor) => [tensor.tensorName, tensor.problems]));
    expect(problems.get("lost")).toEqual([expect.stringContaining('"nowhere"')]);
    expect(problems.get("untyped")).toEqual([expect.stringContaining("set type to")]);
    expect(problems.get("ragged")).toEqual([]);
  });

  test("states whether a feature without a tensor is an error, and advises what to write", () => {
    expect(featuresWithoutTensor.map(({ path, isError }) => [path.toString(), isError])).toEqual([
      ["partial", true],
      ["deep.er", true],
      ["i", false],
      ["v", false],
      ["old", false],
      ["empty", false],
    ]);
    expect(featuresWithoutTensor.map(({ advice }) => advice)).toEqual([
      expect.stringContaining("presence { min_fraction: 1 }"),
      expect.stringContaining('feature_path { step: "deep" step: "er" }'),
      expect.stringContaining('varlen_sparse_tensor { column_name: "i" }'),
      expect.stringContaining('varlen_sparse_tensor { column_name: "v" }'),
      expect.stringContaining("lifecycle_stage: PRODUCTION"),
      expect.stringContaining("struct_domain"),
    ]);
  });

  test("finds no problem in a schema that follows the advice for a feature that may be missing", () => {
    const advised = parseSchemaText(`
      feature { name: "partial" type: FLOAT value_count { min: 1 max: 1 } presence { min_fraction: 0.5 } }
      tensor_representation_group { key: "" value { tensor_representation { key: "partial" value {
        dense_tensor { column_name: "partial" shape {} default_value { float_value: 0 } } } } } }`);
    expect(explain(advised)).toMatchObject({
      tensors: [{ tensorName: "partial", problems: [] }],
      featuresWithoutTensor: [],
    });
  });

  test("lists a feature as having no tensor if an explicit tensor of the same name reads another column", () => {
    const collision = parseSchemaText(`
      feature { name: "a" type: INT } feature { name: "b" type: INT }
      tensor_representation_group { key: "" value { tensor_representation { key: "a" value {
        varlen_sparse_tensor { column_name: "b" } } } } }`);
    expect(explain(collision)).toMatchObject({
      tensors: [{ tensorName: "a", problems: [] }],
      featuresWithoutTensor: [{ path: { steps: ["a"] }, isError: false }],
    });
  });

  test("reports an invalid sparse feature, and lists a tensor for each of the feature's columns", () => {
    const broken = parseSchemaText(`
      feature { name: "i" type: INT int_domain { min: 1 } } feature { name: "v" type: INT }
      sparse_feature { name: "s" index_feature { name: "i" } value_feature { name: "v" } }`);
    expect(explain(broken)).toMatchObject({
      tensors: [{ tensorName: "i" }, { tensorName: "v" }],
      featuresWithoutTensor: [{ path: { steps: ["s"] }, isError: true }],
    });
  });

  test("lists only the tensors of a named group, and the features that they do not read", () => {
    const grouped = parseSchemaText(`
      feature { name: "a" type: INT } feature { name: "b" type: INT } feature { name: "c" type: BYTES }
      feature { name: "partial" type: FLOAT presence { min_fraction: 0.5 } shape {} }
      feature { name: "i" type: INT } feature { name: "v" type: FLOAT }
      sparse_feature { name: "s" index_feature { name: "i" } value_feature { name: "v" } }
      tensor_representation_group { key: "" value {
        tensor_representation { key: "b" value { varlen_sparse_tensor { column_name: "b" } } } } }
      tensor_representation_group { key: "g" value {
        tensor_representation { key: "c" value { varlen_sparse_tensor { column_name: "a" } } }
        tensor_representation { key: "coo" value { sparse_tensor {
          index_column_names: "i" value_column_name: "v" dense_shape { dim { size: 9 } } } } } } }`);
    const explained = explain(grouped, { group: "g" });
    expect(explained.tensors.map(({ tensorName, rule, why }) => [tensorName, rule, why])).toEqual([
      ["c", "explicit", 'tensor_representation_group "g" declares it'],
      ["coo", "explicit", 'tensor_representation_group "g" declares it'],
    ]);
    expect(explained.featuresWithoutTensor.map(({ path, isError }) => [path.toString(), isError])).toEqual([
      ["b", false],
      ["partial", false],
      ["c", false],
    ]);
    expect(explain(grouped, { group: "" }).tensors.map(({ tensorName }) => tensorName)).toEqual(["b"]);
  });

  test("rejects a group that the schema lacks", () => {
    const plain = parseSchemaText('feature { name: "a" type: INT }');
    for (const group of ["foo", ""])
      expect(() => explain(plain, { group })).toThrow(
        expect.objectContaining({
          code: "schema-invalid",
          reason: "unknown-group",
          message: expect.stringContaining(`"${group}"`),
        }),
      );
  });

  test("with the legacy profile, names the rule fixed-value-count and lists a dense tensor", () => {
    const legacy = parseSchemaText('feature { name: "a" type: INT value_count { min: 3 max: 3 } }');
    expect(explain(legacy, { profile: "legacy" }).tensors).toEqual([
      expect.objectContaining({
        rule: "fixed-value-count",
        spec: { kind: "tensor", dtype: "int64", shape: [null, 3] },
      }),
    ]);
  });

  test("states that the legacy profile ignores shape", () => {
    const legacy = parseSchemaText('feature { name: "a" type: INT presence { min_fraction: 1 } shape {} }');
    expect(explain(legacy, { profile: "legacy" }).tensors).toEqual([
      expect.objectContaining({ rule: "variable-length", why: "the legacy profile ignores shape" }),
    ]);
  });
});

describe("formatExplanation", () => {
  test("writes an aligned table, with a line for each problem and each piece of advice", () => {
    const lines = formatExplanation(explain(schema)).split("\n");
    expect(lines[0]).toMatch(/^tensor +spec +made of +because$/u);
    const columns = ["spec", "made of", "because"].map((title) => lines[0]?.indexOf(title) ?? -1);
    const dense = lines.find((line) => line.startsWith("dense "));
    expect(columns.map((start, i) => dense?.slice(start, columns[i + 1]).trim())).toEqual([
      "dense int64 [?, 2, 3]",
      "dense",
      "shape is set and presence.min_fraction is 1",
    ]);
    expect(lines.filter((line) => line.startsWith("  ! "))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith("  → "))).toHaveLength(6);
  });

  test("writes only the heading for an empty schema", () => {
    expect(formatExplanation(explain(parseSchemaText("")))).toBe("tensor  spec  made of  because");
  });
});
