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
  /** Parser configuration of the context tensors, which have one value for each example. */
  readonly context: ReadonlyMap<string, FeatureSpec>;
  /** Parser configuration of the feature-list tensors. Keys in these specs are names of feature lists. */
  readonly sequence: ReadonlyMap<string, FeatureSpec>;
}

/**
 * Parser configuration for the tensors of a representation group in tf.SequenceExamples. A top-level feature is read from
 * the context, a child of a struct from the feature list of the child's name.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, when `schema` lacks the group or a tensor's column. Other
 *   reasons as for {@link createTfExampleParserConfig}.
 * @throws {UnsupportedError} `unsupported`, reason `feature-path`, for paths of more than two steps.
 * @see tfx_bsl `CreateTfSequenceExampleParserConfig`
 */
export function createTfSequenceExampleParserConfig(schema: Schema, group?: string): SequenceParserConfig {
  assertSchema(schema);
  const representations = getTensorRepresentationsFromSchema(schema, group);
  if (representations === undefined) {
    throw new SchemaError(
      "schema-invalid",
      `the schema has no tensor representation group "${group ?? ""}"; sequence parsing needs explicit representations`,
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
        `tensor "${name}" is made of "${path.toString()}"; a SequenceExample has features and lists of features, so expected a path of one or two steps`,
        { reason: "feature-path", feature: "parsing deeply nested features" },
      );
    }
    const feature = find(path);
    if (feature === undefined) {
      throw new SchemaError(
        "schema-invalid",
        `tensor "${name}" is made of "${path.toString()}", which the schema does not have`,
        { reason: "representation", columnPath: path.toString() },
      );
    }
    if (path.length < 2) context.set(name, createTfExampleParserConfig(representation, feature.type));
    else sequence.set(name, createTfExampleParserConfig(withoutFirstStep(representation), feature.type));
  }
  return { context, sequence };
}

function withoutFirstStep(representation: TensorRepresentation): TensorRepresentation {
  const inner = clone(TensorRepresentationSchema, representation);
  if (inner.kind.case === "raggedTensor") inner.kind.value.featurePath?.step.shift();
  return inner;
}
