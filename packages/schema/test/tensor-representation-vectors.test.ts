import { readFileSync } from "node:fs";
import path from "node:path";
import { equals } from "@bufbuild/protobuf";
import { describe, expect, test } from "@jest/globals";
import { isTfxioError } from "@tfxio/wire";
import {
  createTfExampleParserConfig,
  createTfSequenceExampleParserConfig,
  decodeMessage,
  decodeSchema,
  type FeatureSpec,
  FeatureType,
  getSourceColumns,
  getSourceValueColumn,
  getTensorRepresentationsFromSchema,
  inferTensorRepresentationsFromMixedSchema,
  inferTensorRepresentationsFromSchema,
  parseSchemaText,
  projectTensorRepresentationsInSchema,
  type Schema,
  SchemaSchema,
  type TensorRepresentation,
  TensorRepresentationSchema,
  type TensorRepresentations,
  validateTensorRepresentationsInSchema,
} from "../src/index.js";

interface Encoded {
  readonly b64: string;
}
interface Vector {
  readonly name: string;
  readonly op: string;
  readonly input: {
    readonly schema_b64?: string;
    readonly schema_textproto?: string;
    readonly generate_legacy_feature_spec?: boolean;
    readonly tensor_representation?: Encoded;
    readonly feature_type?: keyof typeof FeatureType;
    readonly tensor_names?: readonly string[];
    readonly group?: string;
  };
  readonly expect: {
    readonly error?: { readonly category: string };
    readonly tensor_representations?: Readonly<Record<string, Encoded>> | null;
    readonly same_for?: readonly string[];
    readonly paths?: readonly (readonly string[])[];
    readonly path?: readonly string[];
    readonly feature?: unknown;
    readonly context?: unknown;
    readonly sequence?: unknown;
    readonly schema_b64?: string;
    readonly schema_textproto?: string;
  };
}

const file = path.join(
  import.meta.dirname,
  "../../../tools/conformance/vectors/tfx-bsl/tensor_representation_util.json",
);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly Vector[] };

const bytes = (b64 = ""): Uint8Array => new Uint8Array(Buffer.from(b64, "base64"));
const representation = (encoded?: Encoded): TensorRepresentation =>
  decodeMessage(TensorRepresentationSchema, bytes(encoded?.b64));

/** Error categories of the test vectors, keyed by our code and reason. */
const categories: Readonly<Record<string, string>> = {
  "schema-invalid/representation": "invalid-schema",
  "schema-invalid/validation": "validation",
  "schema-invalid/bad-default": "bad-default",
  "schema-invalid/feature-type": "bad-schema-type",
  "schema-mismatch/projection": "projection",
  "unsupported/feature-path": "unsupported-path",
  "unsupported/nested-struct": "unsupported",
};

function run(op: string, { input }: Vector): unknown {
  const schema = (): Schema => decodeSchema(bytes(input.schema_b64));
  const profile = input.generate_legacy_feature_spec ? "legacy" : "current";
  switch (op) {
    case "InferTensorRepresentationsFromSchema":
      return { tensor_representations: inferTensorRepresentationsFromSchema(schema(), { profile }) };
    case "InferTensorRepresentationsFromMixedSchema":
      return { tensor_representations: inferTensorRepresentationsFromMixedSchema(schema(), { profile }) };
    case "GetTensorRepresentationsFromSchema":
      return { tensor_representations: getTensorRepresentationsFromSchema(schema()) ?? null };
    case "GetSourceColumnsFromTensorRepresentation":
      return {
        paths: getSourceColumns(representation(input.tensor_representation)).map(({ steps }) => steps),
      };
    case "GetSourceValueColumnFromTensorRepresentation":
      return { path: getSourceValueColumn(representation(input.tensor_representation)).steps };
    case "CreateTfExampleParserConfig": {
      const type = FeatureType[input.feature_type ?? "TYPE_UNKNOWN"];
      return {
        feature: asVector(createTfExampleParserConfig(representation(input.tensor_representation), type)),
      };
    }
    case "CreateTfSequenceExampleParserConfig": {
      const { context, sequence } = createTfSequenceExampleParserConfig(schema(), input.group);
      return { context: vectorRecord(context), sequence: vectorRecord(sequence) };
    }
    case "ProjectTensorRepresentationsInSchema":
      return {
        schema: projectTensorRepresentationsInSchema(schema(), input.tensor_names ?? [], {
          profile,
          group: input.group,
        }),
      };
    case "ValidateTensorRepresentationsInSchema":
      validateTensorRepresentationsInSchema(schema(), input.group);
      return { ok: true };
    default:
      throw new TypeError(`unknown op ${op}`);
  }
}

/** Returns a spec in the notation of the test vectors: snake_case keys, int64 as text, bytes as base64. */
function asVector(spec: FeatureSpec): unknown {
  const value = (item: bigint | number | Uint8Array): unknown =>
    typeof item === "bigint"
      ? `${item}`
      : typeof item === "number"
        ? item
        : { b64: Buffer.from(item).toString("base64") };
  const renamed = Object.entries(spec).map(([key, content]: [string, unknown]) => {
    if (key === "indexKeys") return ["index_key", content];
    if (key === "defaultValue") return ["default_value", (content as bigint[] | null)?.map(value) ?? null];
    if (key === "partitions") {
      return [
        key,
        (content as object[]).map((partition) => Object.fromEntries(Object.entries(partition).map(snakeKey))),
      ];
    }
    return snakeKey([key, content]);
  });
  return Object.fromEntries(renamed) as unknown;
}

function snakeKey([key, content]: [string, unknown]): [string, unknown] {
  return [key.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`), content];
}

function vectorRecord(specs: ReadonlyMap<string, FeatureSpec>): unknown {
  return Object.fromEntries([...specs].map(([name, spec]) => [name, asVector(spec)]));
}

function expectSameRepresentations(actual: TensorRepresentations | null, expected: Vector["expect"]): void {
  const wanted = expected.tensor_representations ?? null;
  expect(actual === null).toBe(wanted === null);
  expect([...(actual?.keys() ?? [])].sort()).toEqual(Object.keys(wanted ?? {}).sort());
  for (const [name, encoded] of Object.entries(wanted ?? {})) {
    const found = actual?.get(name);
    expect(found && equals(TensorRepresentationSchema, found, representation(encoded))).toBe(true);
  }
}

// The C++ protobuf library wrote the bytes of each `schema_b64`, with TFMD's own descriptors.
describe("the text of a test vector", () => {
  const schemas = cases.flatMap(({ name, input, expect: { schema_textproto, schema_b64 } }) => [
    { name, text: input.schema_textproto, b64: input.schema_b64 },
    { name: `${name}, expected schema`, text: schema_textproto, b64: schema_b64 },
  ]);
  test.each(schemas.filter(({ text, b64 }) => text !== undefined && b64 !== undefined))(
    "parses to the same schema as the vector's bytes: $name",
    ({ text = "", b64 }) => {
      expect(equals(SchemaSchema, parseSchemaText(text), decodeSchema(bytes(b64)))).toBe(true);
    },
  );
});

describe("test vectors for tfx_bsl's tensor_representation_util", () => {
  for (const vector of cases) {
    for (const op of [vector.op, ...(vector.expect.same_for ?? [])]) {
      test(`give the expected result or error with ${op}: ${vector.name}`, () => {
        let outcome: unknown;
        try {
          outcome = run(op, vector);
        } catch (error) {
          if (!isTfxioError(error) || vector.expect.error === undefined) throw error;
          expect(categories[`${error.code}/${error.reason ?? ""}`]).toBe(vector.expect.error.category);
          return;
        }
        expect(vector.expect.error).toBeUndefined();
        if (typeof outcome === "object" && outcome !== null && "tensor_representations" in outcome) {
          expectSameRepresentations(
            outcome.tensor_representations as TensorRepresentations | null,
            vector.expect,
          );
        } else if (vector.expect.schema_b64 !== undefined) {
          const expected = decodeSchema(bytes(vector.expect.schema_b64));
          expect(equals(SchemaSchema, (outcome as { schema: Schema }).schema, expected)).toBe(true);
        } else {
          // `parsed` holds Examples parsed with the config. It is compared in tools/conformance, which has parsers.
          const { parsed: _, ...comparable } = vector.expect as Record<string, unknown>;
          expect(outcome).toEqual(comparable);
        }
      });
    }
  }
});
