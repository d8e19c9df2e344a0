import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { decodeMessage, TensorRepresentationSchema } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import { TensorAdapter } from "../src/index.js";
import { arrowSchema, type ColumnJson, recordBatch, type TypeJson } from "./arrow-values.js";
import { columnJson, specJson } from "./vector-tensors.js";

interface Case {
  readonly name: string;
  readonly op: "to_tensors" | "construct" | "type_specs";
  readonly input: {
    readonly arrow_schema?: readonly { name: string; type: TypeJson }[];
    readonly record_batch?: { readonly columns: readonly ColumnJson[] };
    readonly tensor_representations: Readonly<Record<string, { readonly b64: string }>>;
    readonly original_type_specs?: unknown;
  };
  readonly expect: Expectation;
  readonly expect_if_supported?: Expectation;
}
interface Expectation {
  readonly type_specs?: Readonly<Record<string, unknown>>;
  readonly tensors?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly category: string };
}

const file = new URL("../../../tools/conformance/vectors/tfx-bsl/tensor_adapter.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: readonly Case[] };

/** Our error code and reason for each error category of the test vectors. */
const categories: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  "no-handler": ["not-convertible", "no-handler"],
  "bad-default": ["schema-invalid", "bad-default"],
  "convert-failed": ["shape-mismatch", "row-shape"],
  "schema-mismatch": ["schema-mismatch", "batch-schema"],
};

describe("the tfx-bsl test vectors of tensor_adapter", () => {
  test("contain 127 cases", () => {
    expect(cases).toHaveLength(127);
  });

  for (const { name, op, input, expect: expected, expect_if_supported: supported } of cases) {
    test(`give the expected result or error: ${name}`, () => {
      // Only the case with a slice of a ragged column has `expect_if_supported`, because tfx_bsl rejects the slice.
      const wanted = supported ?? expected;
      expect(input.original_type_specs).toBeUndefined();
      const run = (): Expectation => {
        const batch = input.record_batch && recordBatch(input.record_batch.columns);
        const schema = input.arrow_schema ? arrowSchema(input.arrow_schema) : batch?.schema;
        if (schema === undefined) throw new Error("case without a schema");
        const tensorRepresentations = new Map(
          Object.entries(input.tensor_representations).map(([tensorName, { b64 }]) => [
            tensorName,
            decodeMessage(TensorRepresentationSchema, Buffer.from(b64, "base64")),
          ]),
        );
        const adapter = new TensorAdapter({ arrowSchema: schema, tensorRepresentations });
        const specs = adapter.typeSpecs();
        if (op !== "to_tensors" || batch === undefined) return { type_specs: mapValues(specs, specJson) };
        const columns = new Map(Object.entries(adapter.toHost(batch)));
        for (const [tensorName, column] of columns) {
          expect(specs.get(tensorName)?.isCompatibleWith(column)).toBe(true);
        }
        return { type_specs: mapValues(specs, specJson), tensors: mapValues(columns, columnJson) };
      };
      if (wanted.error) {
        const [code, reason] = categories[wanted.error.category] ?? [];
        expect(thrownBy(run)).toMatchObject({ code, reason });
      } else {
        expect(run()).toMatchObject({ ...wanted });
      }
    });
  }
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function mapValues<Value, Result>(
  map: ReadonlyMap<string, Value>,
  convert: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Array.from(map, ([key, value]) => [key, convert(value)]));
}
