import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { decodeSchema, type Schema } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import { createExampleDecoder, createSequenceExampleDecoder, type ExampleListType } from "../src/index.js";
import { rowsOf, typeOf } from "./plain-batch.js";

// The test vectors come from tfx_bsl's tests, documentation and source. The README beside them describes their form.
const vectors = new URL("../../../tools/conformance/vectors/tfx-bsl/", import.meta.url);

interface Vector {
  readonly name: string;
  readonly op: "decode" | "construct" | "arrow_schema";
  readonly input: {
    readonly schema_textproto: string | null;
    readonly schema_b64?: string;
    readonly examples_b64?: string[];
    readonly sequence_column_name?: string;
  };
  readonly expect: {
    readonly error?: { readonly category: string };
    readonly num_rows?: number;
    readonly columns?: readonly {
      readonly name: string;
      readonly type: unknown;
      readonly values: unknown[];
    }[];
  };
}

function read(text: string): readonly Vector[] {
  return (JSON.parse(text) as { cases: readonly Vector[] }).cases;
}

const categories: Readonly<Record<string, string>> = {
  "malformed-payload undefined": "malformed",
  "schema-mismatch wrong-kind": "wrong-kind",
  "schema-invalid bad-schema-type": "bad-schema-type",
  "schema-required undefined": "schema-required",
};

function run({ op, input }: Vector, listType: ExampleListType): unknown {
  try {
    const schema = schemaOf(input);
    const { sequence_column_name: sequenceColumn } = input;
    const decoder =
      sequenceColumn === undefined
        ? createExampleDecoder({ schema, listType })
        : createSequenceExampleDecoder({ schema, listType, sequenceColumn });
    if (op === "construct") return "constructed";
    if (op === "arrow_schema") return decoder.arrowSchema();
    const batch = decoder.decode((input.examples_b64 ?? []).map((base64) => Buffer.from(base64, "base64")));
    const columns = batch.schema.fields.map((field, index) => ({
      name: field.name,
      type: typeOf(field.type),
      values: rowsOf(batch.data.children[index]!),
    }));
    return { num_rows: batch.numRows, columns };
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    return { error: categories[`${error.code} ${error.reason}`] };
  }
}

function schemaOf(input: Vector["input"]): Schema | undefined {
  if (input.schema_b64 === undefined && input.schema_textproto === null) return undefined;
  return decodeSchema(Buffer.from(input.schema_b64 ?? "", "base64"));
}

/** Returns the outcome that a vector expects, with floats rounded to float32. Vectors store NaN and infinities as strings. */
function expected({ expect: { error, num_rows, columns } }: Vector): unknown {
  if (error !== undefined) return { error: error.category };
  return {
    num_rows,
    columns: columns?.map(({ name, type, values }) => ({ name, type, values: values.map(cell) })),
  };
}

function cell(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cell);
  if (typeof value === "number") return Math.fround(value);
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  // The value is a struct, or bytes in base64.
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cell(field)]));
}

describe.each([
  { group: "example_decoder", numCases: 40 },
  { group: "sequence_example_decoder", numCases: 25 },
])("tfx_bsl $group test vectors", ({ group, numCases }) => {
  const text = readFileSync(new URL(`${group}.json`, vectors), "utf8");
  const cases = read(text);
  const narrow = read(text.replaceAll("large_", ""));
  test(`contain more than ${numCases} cases`, () => expect(cases.length).toBeGreaterThan(numCases));

  for (const [index, vector] of cases.entries()) {
    test(`give the expected result with 64-bit offsets: ${vector.name}`, () =>
      expect(run(vector, "large")).toEqual(expected(vector)));
    test(`give the expected result with 32-bit offsets: ${vector.name}`, () =>
      expect(run(vector, "list")).toEqual(expected(narrow[index]!)));
  }
});
