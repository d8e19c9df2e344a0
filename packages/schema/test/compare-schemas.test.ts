import { describe, expect, test } from "@jest/globals";
import { compareSchemas, parseSchemaText } from "../src/index.js";

const compare = (left: string, right: string) =>
  compareSchemas(parseSchemaText(left), parseSchemaText(right));

describe("compareSchemas", () => {
  test("finds no difference between schemas whose features are in different orders", () => {
    const age = 'feature { name: "age" type: INT }';
    const city = 'feature { name: "city" type: BYTES domain: "cities" }';
    expect(compare(`${age} ${city}`, `${city} ${age}`)).toEqual([]);
  });

  test("finds no difference between maps whose entries are in different orders", () => {
    const entry = (key: string) =>
      `tensor_representation_group { key: "${key}" value { tensor_representation { key: "t" value {
        dense_tensor { column_name: "${key}" } } } } }`;
    const [a, b] = [entry("a"), entry("b")];
    expect(compare(a + b, b + a)).toEqual([]);
    expect(compare(a, b)).toHaveLength(1);
  });

  test("lists each differing field of a feature, with its value in each schema that has the field", () => {
    const left = 'feature { name: "age" type: INT presence { min_count: 1 } }';
    const right = 'feature { name: "age" type: FLOAT presence { min_count: 1 } shape {} }';
    expect(compare(left, right)).toEqual([
      { element: "feature", name: "age", field: "type", left: "INT", right: "FLOAT" },
      { element: "feature", name: "age", field: "shape", right: {} },
    ]);
  });

  test("lists a feature that only one schema has", () => {
    expect(compare('feature { name: "age" type: INT }', 'feature { name: "city" type: BYTES }')).toEqual([
      { element: "feature", name: "age", left: { name: "age", type: "INT" } },
      { element: "feature", name: "city", right: { name: "city", type: "BYTES" } },
    ]);
  });

  test("lists features of structs by their path, with quoted steps if needed", () => {
    const nested = (type: string) =>
      `feature { name: "user" type: STRUCT struct_domain { feature { name: "a.b" type: ${type} } } }`;
    expect(compare(nested("INT"), nested("BYTES"))).toEqual([
      { element: "feature", name: "user.'a.b'", field: "type", left: "INT", right: "BYTES" },
    ]);
  });

  test("compares the index features of a sparse feature in order, because the order decides the dimensions", () => {
    const sparse = (...names: string[]) => {
      const indices = names.map((name) => `index_feature { name: "${name}" }`).join(" ");
      return `sparse_feature { name: "a" ${indices} value_feature { name: "v" } }`;
    };
    const [i, j] = [{ name: "i" }, { name: "j" }];
    expect(compare(sparse("i", "j"), sparse("i", "j"))).toEqual([]);
    expect(compare(sparse("i", "j"), sparse("j", "i"))).toEqual([
      { element: "sparseFeature", name: "a", field: "indexFeature", left: [i, j], right: [j, i] },
    ]);
  });

  test("compares domains with the same name, and the schema's own fields", () => {
    const domain = (value: string) => `string_domain { name: "cities" value: "${value}" }`;
    expect(compare(`${domain("Bern")} default_environment: "A"`, domain("Oslo"))).toEqual([
      { element: "stringDomain", name: "cities", field: "value", left: ["Bern"], right: ["Oslo"] },
      { element: "schema", name: "", field: "defaultEnvironment", left: ["A"] },
    ]);
  });
});
