import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { decodeSchema, type Schema } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import { createExampleDecoder, type ExampleListType } from "../src/index.js";
import { rowsOf, typeOf } from "./plain-batch.js";

// Vectors of tfx_bsl's own tests and of its documented behaviour; see the README beside them.
const vectors = new URL("../../../tools/conformance/vectors/tfx-bsl/example_decoder.json", import.meta.url);

interface Vector {
  readonly name: string;
  readonly op: "decode" | "construct" | "arrow_schema";
  readonly input: {
    readonly schema_textproto: string | null;
    readonly schema_b64?: string;
    readonly examples_b64?: string[];
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

const text = readFileSync(vectors, "utf8");
const { cases } = JSON.parse(text) as { cases: readonly Vector[] };
const narrow = JSON.parse(text.replaceAll("large_", "")) as { cases: readonly Vector[] };

const categories: Readonly<Record<string, string>> = {
  "malformed-payload undefined": "malformed",
  "schema-mismatch wrong-kind": "wrong-kind",
  "schema-invalid bad-schema-type": "bad-schema-type",
  "schema-required undefined": "schema-required",
};

function run({ op, input }: Vector, listType: ExampleListType): unknown {
  try {
    const decoder = createExampleDecoder({ schema: schemaOf(input), listType });
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

/** The vectors' float numbers are rounded to float32 by the reader; -0, NaN and infinities are written as words. */
function expected({ expect: { error, num_rows, columns } }: Vector): unknown {
  if (error !== undefined) return { error: error.category };
  return {
    num_rows,
    columns: columns?.map(({ name, type, values }) => ({ name, type, values: values.map(cell) })),
  };
}

function cell(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map((item) => (typeof item === "number" ? Math.fround(item) : floatWord(item)))
    : value;
}

function floatWord(item: unknown): unknown {
  return item === "NaN" || item === "Infinity" || item === "-Infinity" ? Number(item) : item;
}

describe("tfx_bsl example_decoder vectors", () => {
  test("there are vectors", () => expect(cases.length).toBeGreaterThan(40));

  for (const [index, vector] of cases.entries()) {
    test(vector.name, () => expect(run(vector, "large")).toEqual(expected(vector)));
    test(`${vector.name}, with 32-bit offsets`, () =>
      expect(run(vector, "list")).toEqual(expected(narrow.cases[index]!)));
  }
});
