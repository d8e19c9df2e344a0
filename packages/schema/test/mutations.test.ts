import { describe, expect, test } from "@jest/globals";
import { isTfxioError } from "@tfxio/wire";
import {
  checkTensorRepresentations,
  createTfExampleParserConfig,
  createTfSequenceExampleParserConfig,
  decodeSchema,
  encodeSchema,
  explain,
  FeatureType,
  forEnvironment,
  formatExplanation,
  formatSchemaText,
  inferTensorRepresentationsFromMixedSchema,
  parseSchemaText,
  projectTensorRepresentationsInSchema,
  type Schema,
  schemaToJson,
  validateTensorRepresentationsInSchema,
  withoutInactiveFeatures,
} from "../src/index.js";
import { mulberry32 } from "./random-message.js";

const text = `# a schema with a little of everything.
feature { name: "age" type: INT int_domain { min: 0 max: 130 } presence { min_fraction: 1 } shape { dim { size: 2 } } }
feature { name: "f" type: FLOAT value_count { min: 1 max: 3 } not_in_environment: "E" float_domain { min: -1e3 max: inf } }
feature { name: "s" type: STRUCT struct_domain { feature { name: "c" type: BYTES lifecycle_stage: ALPHA } } }
sparse_feature { name: "sp" index_feature { name: "age" } value_feature { name: "f" } }
default_environment: "E" annotation { extra_metadata { [type.googleapis.com/tensorflow.metadata.v0.Path] { step: "\\303\\251" } } }
tensor_representation_group { key: "" value { tensor_representation { key: "t" value { ragged_tensor {
  feature_path { step: "f" } partition { row_length: "age" } partition { uniform_row_length: 2 } } } }
  tensor_representation { key: "d" value { dense_tensor { column_name: "age" shape { dim { size: 2 } } default_value { int_value: -1 } } } } } }`;

/** Returns a copy of `items` with some items changed, removed, repeated or inserted, or with the end removed. */
function mutated<Item>(items: readonly Item[], random: () => number, any: () => Item): Item[] {
  const result = [...items];
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--) {
    const at = Math.floor(random() * (result.length + 1));
    const kind = random();
    if (kind < 0.4) result.splice(at, 1, any());
    else if (kind < 0.6) result.splice(at, 1 + Math.floor(random() * 20));
    else if (kind < 0.8) result.splice(at, 0, ...result.slice(at, at + Math.floor(random() * 40)));
    else if (kind < 0.9) result.splice(at, 0, any(), any());
    else result.length = at;
  }
  return result;
}

/** Returns the result of `run`, or undefined if `run` throws a TfxioError. Any other error is a bug, so it is rethrown. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    return undefined;
  }
}

function useEverywhere(schema: Schema): void {
  attempt(() => encodeSchema(schema));
  attempt(() => formatSchemaText(schema));
  attempt(() => schemaToJson(schema));
  attempt(() => inferTensorRepresentationsFromMixedSchema(schema, { profile: "legacy" }));
  attempt(() => validateTensorRepresentationsInSchema(schema));
  attempt(() => createTfSequenceExampleParserConfig(schema));
  attempt(() => forEnvironment(schema, "E"));
  const representations = attempt(() => inferTensorRepresentationsFromMixedSchema(schema));
  for (const [name, representation] of representations ?? []) {
    attempt(() => createTfExampleParserConfig(representation, FeatureType.INT));
    attempt(() => projectTensorRepresentationsInSchema(schema, [name]));
  }
  // These calls never throw. `checkTensorRepresentations` and `explain` report problems in their results.
  checkTensorRepresentations(schema);
  formatExplanation(explain(schema));
  withoutInactiveFeatures(schema);
}

const rounds = 200;

describe("mutated schemas", () => {
  test("are parsed from text, or cause a TfxioError with a position", () => {
    const random = mulberry32(1);
    const characters = "{}<>[]:;,\"'\\#-.\n 0189aefxnt_é😀\u0000";
    let numErrors = 0;
    for (let round = 0; round < rounds; round++) {
      const any = (): string => characters.charAt(Math.floor(random() * characters.length));
      const input = mutated(Array.from(text), random, any).join("");
      try {
        useEverywhere(parseSchemaText(input));
      } catch (error) {
        if (!isTfxioError(error, "schema-invalid")) throw error;
        numErrors++;
        expect(error.reason).toBe("text-format");
        expect(error.line).toBeGreaterThan(0);
        expect(error.line).toBeLessThanOrEqual(input.split("\n").length);
        expect(error.column).toBeGreaterThan(0);
      }
    }
    expect(numErrors).toBeGreaterThan(rounds / 2);
  });

  test("are parsed from bytes, or cause a TfxioError", () => {
    const random = mulberry32(2);
    const bytes = encodeSchema(parseSchemaText(text));
    let numSchemas = 0;
    for (let round = 0; round < rounds; round++) {
      const input = Uint8Array.from(mutated([...bytes], random, () => Math.floor(random() * 256)));
      const schema = attempt(() => decodeSchema(input));
      if (schema === undefined) continue;
      numSchemas++;
      useEverywhere(schema);
    }
    expect(numSchemas).toBeGreaterThan(5);
  });
});
