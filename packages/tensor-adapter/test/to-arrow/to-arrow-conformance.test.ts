import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { decodeMessage, messageToJson, TensorRepresentationSchema } from "@tfxio/schema";
import { TensorAdapter, TensorsToRecordBatchConverter } from "../../src/index.js";
import { type ColumnJson, recordBatch } from "../arrow-values.js";
import { codedError } from "../representations.js";
import { columnJson, columnOfJson, type SpecJson, specOfJson, type TensorJson } from "../vector-tensors.js";

interface Case {
  readonly name: string;
  readonly op: "convert" | "construct";
  readonly input: {
    readonly type_specs: Readonly<Record<string, SpecJson>>;
    readonly tensors?: Readonly<Record<string, TensorJson>>;
    readonly generic_sparse_tensor_names?: readonly string[];
  };
  readonly expect: {
    readonly record_batch?: { readonly columns: readonly ColumnJson[] };
    readonly tensor_representations?: Readonly<Record<string, { readonly b64: string }>>;
    readonly round_trip_identity?: boolean;
    readonly round_trip_tensors?: Readonly<Record<string, TensorJson>>;
    readonly error?: { readonly category: string };
  };
}

const file = new URL("../../../../tools/conformance/vectors/tfx-bsl/tensor_to_arrow.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: readonly Case[] };

/** Our code and reason for each error category of the test vectors. */
const categories: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  "no-handler": ["not-convertible", "no-handler"],
  "spec-mismatch": ["shape-mismatch", "type-spec"],
};

describe("the tfx-bsl test vectors of tensor_to_arrow", () => {
  test("contain 59 cases", () => {
    expect(cases).toHaveLength(59);
  });

  for (const { name, op, input, expect: expected } of cases) {
    test(`give the expected result or error: ${name}`, () => {
      const specs = new Map(Object.entries(input.type_specs).map(([key, spec]) => [key, specOfJson(spec)]));
      // The test vectors use 64-bit offsets, as tfx_bsl does.
      const converter = (): TensorsToRecordBatchConverter =>
        new TensorsToRecordBatchConverter(specs, {
          listType: "large",
          genericSparseTensorNames: input.generic_sparse_tensor_names,
        });
      const tensors = Object.fromEntries(
        Object.entries(input.tensors ?? {}).map(([key, tensor]) => [key, columnOfJson(tensor)]),
      );
      if (expected.error) {
        const [code, reason] = categories[expected.error.category] ?? [];
        const run = (): unknown => (op === "construct" ? converter() : converter().convert(tensors));
        expect(codedError(run)).toMatchObject({ code, reason });
        return;
      }
      const made = converter();
      const batch = made.convert(tensors);
      if (expected.record_batch) {
        const wanted = recordBatch(expected.record_batch.columns);
        expect(String(batch.schema)).toBe(String(wanted.schema));
        expect(JSON.stringify(batch.toArray(), plain)).toBe(JSON.stringify(wanted.toArray(), plain));
      }
      for (const [key, { b64 }] of Object.entries(expected.tensor_representations ?? {})) {
        const wanted = decodeMessage(TensorRepresentationSchema, Buffer.from(b64, "base64"));
        const found = made.tensorRepresentations.get(key) ?? wanted;
        expect(made.tensorRepresentations.has(key)).toBe(true);
        expect(messageToJson(TensorRepresentationSchema, found)).toEqual(
          messageToJson(TensorRepresentationSchema, wanted),
        );
      }
      const back = new TensorAdapter(made).toHost(batch);
      const roundTrip = Object.fromEntries(
        Object.entries(back).map(([key, column]) => [key, columnJson(column)]),
      );
      expect(roundTrip).toEqual(expected.round_trip_identity ? input.tensors : expected.round_trip_tensors);
    });
  }
});

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
