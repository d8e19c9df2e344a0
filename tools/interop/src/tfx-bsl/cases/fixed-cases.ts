import type { VectorCase } from "@tfxio-tools/conformance/vector-file";
import { encodeSchema, parseSchemaText } from "@tfxio/schema";
import { converterCase } from "./converted-tensors.js";
import type { HostileBatch } from "./hostile-records.js";
import { adapterCase } from "./random-tensors.js";
import { asked } from "../vectors.js";
import { delimited, utf8 } from "./wire-bytes.js";

const lists = { large_list: "int64" };

function askedCase(group: string, op: string, name: string, input: object, answers: object): VectorCase {
  return { family: "tfx-bsl", group, op, name, body: { source: asked, input, expect: answers } };
}

function uniformLength(): VectorCase {
  const schema = parseSchemaText(`tensor_representation_group {
    key: ""
    value {
      tensor_representation {
        key: "y"
        value {
          ragged_tensor {
            feature_path { step: "y$values" }
            partition { row_length: "y$row_length_1" }
            partition { uniform_row_length: 2 }
          }
        }
      }
    }
  }`);
  const column = { name: "y", type: { large_list: { large_list: "int64" } }, values: [[["1", "2", "3"]]] };
  const schema_b64 = Buffer.from(encodeSchema(schema)).toString("base64");
  const input = { record_batch: { columns: [column] }, schema_b64 };
  return askedCase("example_encoder", "encode", "fixed uniform length", input, { examples_b64: [] });
}

function schemaCase(name: string, op: string, text: string): VectorCase {
  const schema_b64 = Buffer.from(encodeSchema(parseSchemaText(text))).toString("base64");
  const expect = { tensor_representations: {} };
  return askedCase("tensor_representation_util", op, name, { schema_b64, schema_textproto: text }, expect);
}

function namesakes(): VectorCase {
  const children = 'feature { name: "p" type: INT } feature { name: "p" type: FLOAT }';
  const text = `feature { name: "##SEQUENCE##" type: STRUCT struct_domain { ${children} } }`;
  return schemaCase("fixed namesakes", "InferTensorRepresentationsFromSchema", text);
}

function explicitButImpossible(): VectorCase {
  const text = `
    feature { name: "a" type: INT shape { dim { size: 1 } } }
    tensor_representation_group {
      key: ""
      value { tensor_representation { key: "a" value { varlen_sparse_tensor { column_name: "a" } } } }
    }`;
  const op = "InferTensorRepresentationsFromMixedSchema";
  return schemaCase(`${op} fixed`, op, text);
}

function nullInSet(): VectorCase {
  const input = {
    values: { type: "binary", values: [null, { b64: "YQ==" }] },
    value_set: { type: "binary", values: [null, { b64: "YQ==" }] },
  };
  return askedCase("array_util", "IndexIn", "fixed null in a set", input, { array: {} });
}

function slice(): VectorCase {
  const column = { name: "v", type: lists, values: [["1"], ["2", "3"], []], slice: [1, 2] };
  return adapterCase("fixed slice", [column], 'ragged_tensor { feature_path { step: "v" } }');
}

/**
 * Small cases for those known differences from tfx_bsl (`known-differences.ts`) that occur neither in the test vectors nor in
 * the random records.
 */
export const fixedCases: readonly VectorCase[] = [
  uniformLength(),
  nullInSet(),
  slice(),
  namesakes(),
  explicitButImpossible(),
  adapterCase(
    "fixed null without values",
    [{ name: "v", type: lists, values: [null, []] }],
    'dense_tensor { column_name: "v" shape { dim { size: 0 } } }',
  ),
  adapterCase(
    "fixed uneven rows",
    [{ name: "v", type: lists, values: [["1"], ["2", "3", "4"]] }],
    'dense_tensor { column_name: "v" shape { dim { size: 2 } } }',
  ),
  converterCase(
    "fixed rank 1",
    { kind: "dense", dtype: "int64", shape: [2], values: ["1", "2"] },
    { kind: "tensor", dtype: "int64", shape: [null] },
  ),
  converterCase(
    "fixed gap",
    { kind: "sparse", dtype: "int64", indices: [[0, 1]], values: ["1"], dense_shape: [1, 2] },
    { kind: "sparse", dtype: "int64", shape: [null, null] },
  ),
];

const emptyEntry = (field: number, name: string): Uint8Array =>
  Uint8Array.from(
    delimited(field, delimited(1, [...delimited(1, utf8(name)), ...delimited(2, delimited(1, []))])),
  );

/**
 * tf.Examples for known differences from tfx_bsl. The first batch has no features, and the second has a feature name with a NUL.
 */
export const fixedExamples: readonly HostileBatch[] = [
  { records: [new Uint8Array(0), new Uint8Array(0)], schema: "" },
  { records: [emptyEntry(1, "a\0b")], schema: "" },
];

/** A tf.SequenceExample for a known difference from tfx_bsl. Its feature list has one step, a Feature whose `kind` is not set. */
export const fixedSequences: readonly HostileBatch[] = [{ records: [emptyEntry(2, "s")], schema: "" }];
