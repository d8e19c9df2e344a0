import type { VectorCase } from "@tfxio-tools/conformance/vector-file";
import { encodeSchema, parseSchemaText } from "@tfxio/schema";
import { type Random, seeded } from "../../seeded.js";
import { asked } from "../vectors.js";
import { chance, oneOf } from "./hostile-features.js";
import { rowsOf } from "./random-columns.js";

const stages = ["ALPHA", "BETA", "PLANNED", "DEPRECATED", "DISABLED", "DEBUG_ONLY", "PRODUCTION"];
const ops = [
  "InferTensorRepresentationsFromSchema",
  "InferTensorRepresentationsFromMixedSchema",
  "GetTensorRepresentationsFromSchema",
  "ProjectTensorRepresentationsInSchema",
];

function feature(below: Random, name: string): string {
  const parts = [`name: "${name}"`];
  if (chance(below, 95)) parts.push(`type: ${oneOf(below, ["INT", "INT", "FLOAT", "BYTES"])}`);
  if (chance(below, 40)) {
    const sizes = rowsOf(below(3), () => `dim { size: ${oneOf(below, [0, 1, 2, 5])} }`);
    parts.push(`shape { ${sizes.join(" ")} }`);
  } else if (chance(below, 60)) {
    const min = below(3);
    parts.push(`value_count { min: ${min} max: ${min + (chance(below, 70) ? 0 : 1)} }`);
  }
  if (chance(below, 60)) parts.push(`presence { min_fraction: ${oneOf(below, ["1", "1", "1", "0.5"])} }`);
  if (chance(below, 20)) parts.push(`lifecycle_stage: ${oneOf(below, stages)}`);
  if (chance(below, 5)) parts.push("deprecated: true");
  if (chance(below, 20)) parts.push(`int_domain { min: 0 max: ${oneOf(below, [0, 9])} }`);
  return `feature { ${parts.join(" ")} }`;
}

function sparseFeature(below: Random, names: readonly string[]): string {
  const indices = rowsOf(1 + below(2), () => `index_feature { name: "${oneOf(below, names)}" }`);
  const sorted = chance(below, 50) ? "is_sorted: true" : "";
  return `sparse_feature { name: "s" ${indices.join(" ")} value_feature { name: "${oneOf(below, names)}" } ${sorted} }`;
}

function representations(below: Random, names: readonly string[]): string {
  const entries = rowsOf(1 + below(3), () => {
    const column = oneOf(below, names);
    const representation = oneOf(below, [
      `varlen_sparse_tensor { column_name: "${column}" }`,
      `dense_tensor { column_name: "${column}" shape { dim { size: 2 } } }`,
      `ragged_tensor { feature_path { step: "${column}" } }`,
      `sparse_tensor { value_column_name: "${column}" index_column_names: "${oneOf(below, names)}" }`,
    ]);
    const name = oneOf(below, ["t", "u", column]);
    return `tensor_representation { key: "${name}" value { ${representation} } }`;
  });
  return `tensor_representation_group { key: "" value { ${entries.join(" ")} } }`;
}

function schemaText(below: Random, names: readonly string[]): string {
  const parts = names.map((name) => feature(below, name));
  if (names.length > 0 && chance(below, 30)) parts.push(sparseFeature(below, [...names, "x"]));
  if (names.length > 0 && chance(below, 40)) parts.push(representations(below, [...names, "x"]));
  if (chance(below, 30)) parts.push("represent_variable_length_as_ragged: true");
  if (chance(below, 20)) {
    const steps = ["p", "q"].slice(0, below(3)).map((name) => feature(below, name));
    parts.push(`feature { name: "##SEQUENCE##" type: STRUCT struct_domain { ${steps.join(" ")} } }`);
  }
  return parts.join(" ");
}

/**
 * Creates cases that infer, get or project the representations of random schemas, with both inference profiles. Equal seeds
 * produce equal cases.
 */
export function randomSchemas(seed: number, count: number): readonly VectorCase[] {
  const below = seeded(seed);
  return Array.from({ length: count }, (_unused, index) => {
    const names = ["a", "b", "c", "d"].slice(0, below(5));
    const text = schemaText(below, names);
    const op = ops[index % ops.length] as string;
    const isProjection = op.startsWith("Project");
    const tensors = [...names, "s", "t"].filter(() => chance(below, 35));
    const input = {
      schema_textproto: text,
      schema_b64: Buffer.from(encodeSchema(parseSchemaText(text))).toString("base64"),
      generate_legacy_feature_spec: chance(below, 30),
      ...(isProjection && { tensor_names: tensors }),
    };
    const expect = isProjection ? { schema_b64: "" } : { tensor_representations: {} };
    const body = { source: asked, input, expect };
    return { family: "tfx-bsl", group: "tensor_representation_util", op, name: `${op} ${index}`, body };
  });
}
