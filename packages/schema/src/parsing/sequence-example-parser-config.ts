import { clone } from "@bufbuild/protobuf";
import { SchemaError, UnsupportedError } from "@tfxio/wire";
import { featureLookup } from "../features.js";
import {
  type Schema,
  type TensorRepresentation,
  TensorRepresentationSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { getTensorRepresentationsFromSchema } from "../representation/representations.js";
import { getSourceValueColumn } from "../representation/source-columns.js";
import { createTfExampleParserConfig } from "./example-parser-config.js";
import type { FeatureSpec } from "./feature-spec.js";
import { assertSchema } from "../argument-rules.js";

/** Parser configuration for tf.SequenceExamples, by tensor name. */
export interface SequenceParserConfig {
  /** Parser configuration of the context tensors, which read features of the example itself. */
  readonly context: ReadonlyMap<string, FeatureSpec>;
  /** Parser configuration of the feature-list tensors. The keys inside these specs are names of feature lists. */
  readonly sequence: ReadonlyMap<string, FeatureSpec>;
}

/**
 * Returns the configuration with which a parser of tf.SequenceExamples reads the tensors of a representation group. A top-level
 * feature is read from the context, and a child of a struct is read from the feature list with the child's name.
 * @param group Default `""`.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, if `schema` lacks the group or a tensor's value column. Other
 *   reasons as for {@link createTfExampleParserConfig}.
 * @throws {UnsupportedError} `unsupported`, reason `feature-path`, for a path of more than two steps.
 * @see tfx_bsl `CreateTfSequenceExampleParserConfig`
 */
export function createTfSequenceExampleParserConfig(schema: Schema, group?: string): SequenceParserConfig {
  assertSchema(schema);
  const representations = getTensorRepresentationsFromSchema(schema, group);
  if (representations === undefined) {
    throw new SchemaError(
      "schema-invalid",
      `The schema has no tensor representation group "${group ?? ""}"; parsing SequenceExamples requires explicit representations.`,
      { reason: "representation" },
    );
  }
  const find = featureLookup(schema);
  const context = new Map<string, FeatureSpec>();
  const sequence = new Map<string, FeatureSpec>();
  for (const [name, representation] of representations) {
    const path = getSourceValueColumn(representation);
    if (path.length > 2) {
      throw new UnsupportedError(
        `Tensor "${name}" reads "${path.toString()}", but a column of a SequenceExample must have a path of one or two steps.`,
        { reason: "feature-path", feature: "parsing deeply nested features" },
      );
    }
    const feature = find(path);
    if (feature === undefined) {
      throw new SchemaError(
        "schema-invalid",
        `Tensor "${name}" reads "${path.toString()}", which is not in the schema.`,
        { reason: "representation", columnPath: path.toString() },
      );
    }
    if (path.length < 2) context.set(name, createTfExampleParserConfig(representation, feature.type));
    else sequence.set(name, createTfExampleParserConfig(withoutFirstStep(representation), feature.type));
  }
  return { context, sequence };
}

/** Copies `representation` and removes the struct from its feature path, because a parser addresses feature lists by name. */
function withoutFirstStep(representation: TensorRepresentation): TensorRepresentation {
  const inner = clone(TensorRepresentationSchema, representation);
  if (inner.kind.case === "raggedTensor") inner.kind.value.featurePath?.step.shift();
  return inner;
}
