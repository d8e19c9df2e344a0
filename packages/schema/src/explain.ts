import { SchemaError } from "@tfxio/wire";
import { assertOptions } from "@tfxio/wire/checks";
import type { ColumnPath } from "./column-path.js";
import { type ExpectedTypeSpec, expectedTypeSpec } from "./expected-type-spec.js";
import { type FeatureLookup, featureLookup, inactiveBecause } from "./features.js";
import {
  type Feature,
  FeatureType,
  type Schema,
  type TensorRepresentation,
} from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { type InferenceOptions, type MixedInference, mixedInference } from "./inference/infer.js";
import type { InferredTensor, RepresentationRule } from "./inference/inference.js";
import { checkTensorRepresentations } from "./representation/check.js";
import {
  DEFAULT_REPRESENTATION_GROUP,
  getTensorRepresentationsFromSchema,
} from "./representation/representations.js";
import { getSourceColumns, getSourceValueColumn } from "./representation/source-columns.js";
import { assertSchema, INFERENCE_RULES } from "./argument-rules.js";

/** One tensor of a schema, and the rule that chose its representation. */
export interface TensorExplanation {
  readonly tensorName: string;
  readonly rule: RepresentationRule;
  /** The reason in words, with the fields of the schema that made the rule apply. */
  readonly why: string;
  /** The columns that the tensor reads, in the order of {@link getSourceColumns}. */
  readonly sourceColumns: readonly ColumnPath[];
  readonly representation: TensorRepresentation;
  /** The spec of the tensor in a batch. */
  readonly spec: ExpectedTypeSpec;
  /** Problems with the representation and with the feature that holds the values; empty for a valid tensor. */
  readonly problems: readonly string[];
}

/** A feature without a separate tensor, and the reason. */
export interface FeatureExplanation {
  readonly path: ColumnPath;
  /** True if the feature should have a tensor but cannot: {@link inferTensorRepresentationsFromMixedSchema} throws for it. */
  readonly isError: boolean;
  readonly why: string;
  /** The change to the schema that would give the feature a tensor. */
  readonly advice: string;
}

/** Result of {@link explain}. */
export interface SchemaExplanation {
  /**
   * Explicit tensors in their order in the group, then inferred ones in the order of inference. If the option `group` is given,
   * only explicit ones.
   */
  readonly tensors: readonly TensorExplanation[];
  /**
   * Features that cannot have a tensor, then features left out by a rule, then features whose tensor name is taken by an explicit
   * tensor. If the option `group` is given: features that no tensor of the group reads; their `isError` is false.
   */
  readonly featuresWithoutTensor: readonly FeatureExplanation[];
}

/** Options of {@link explain}. */
export interface ExplainOptions extends InferenceOptions {
  /**
   * Group of tensor representations to explain. If given, inferred representations are left out, as with the option
   * `representationGroup` of `openTfxio`. Default: the group "", plus inferred representations for the features that this group
   * does not use.
   */
  readonly group?: string | undefined;
}

const { onWarning: _, ...EXPLAIN_RULES } = INFERENCE_RULES;

/**
 * Explains which rule chose the representation of each explicit or inferred tensor of `schema`. Gives the reason and a remedy for
 * each feature without a tensor. Problems in the schema are reported in the result, never thrown.
 * @throws {ArgumentError} `invalid-argument` for a value that is not a schema, or for bad options.
 * @throws {SchemaError} `schema-invalid` (`unknown-group`) if the schema lacks `group`.
 */
export function explain(schema: Schema, options: ExplainOptions = {}): SchemaExplanation {
  assertSchema(schema);
  assertOptions("explain", options, EXPLAIN_RULES);
  const { group } = options;
  if (group !== undefined && getTensorRepresentationsFromSchema(schema, group) === undefined) {
    throw new SchemaError("schema-invalid", `The schema has no tensor representation group "${group}".`, {
      reason: "unknown-group",
    });
  }
  const inference = mixedInference(schema, options);
  const { explicit, tensors, leftOut, impossible, collisions } = inference;
  const explicitGroup = group ?? DEFAULT_REPRESENTATION_GROUP;
  const findings = explicit.size === 0 ? [] : checkTensorRepresentations(schema, explicitGroup);
  const messages = new Map<string | undefined, string[]>();
  for (const { tensorName, message } of findings) {
    const known = messages.get(tensorName);
    if (known === undefined) messages.set(tensorName, [message]);
    else known.push(message);
  }
  const find = featureLookup(schema);
  const declared = [...explicit].map(([tensorName, representation]) =>
    explainTensor(
      find,
      { tensorName, rule: "explicit", representation },
      `tensor_representation_group "${explicitGroup}" declares it`,
      messages.get(tensorName) ?? [],
    ),
  );
  if (group !== undefined)
    return { tensors: declared, featuresWithoutTensor: featuresOutside(group, inference) };
  return {
    tensors: [...declared, ...tensors.map((tensor) => explainTensor(find, tensor, whyOf(find, tensor), []))],
    featuresWithoutTensor: [
      ...impossible.map(({ path, why, advice }) => ({ path, isError: true, why, advice })),
      ...leftOut.map(({ path, why, advice }) => ({ path, isError: false, why, advice })),
      ...collisions.map(({ tensorName, path }) => ({
        path,
        isError: false,
        why: `an explicit tensor is called "${tensorName}" but reads other columns`,
        advice: "Give the explicit tensor another name",
      })),
    ],
  };
}

/** Explains the features that no tensor of `group` reads. A sparse feature needs no tensor if its columns are read. */
function featuresOutside(
  group: string,
  { explicit, tensors, impossible, leftOut, collisions }: MixedInference,
): readonly FeatureExplanation[] {
  const read = new Set([...explicit.values()].flatMap(getSourceColumns).map(String));
  const unread = tensors.filter(
    ({ representation }) => !getSourceColumns(representation).every((column) => read.has(String(column))),
  );
  return [...unread, ...impossible, ...leftOut, ...collisions].map(({ path }) => ({
    path,
    isError: false,
    why: `tensor_representation_group "${group}" declares no tensor that reads it`,
    advice: "Add to the group a tensor_representation that reads it",
  }));
}

/** @param findings Problems that {@link checkTensorRepresentations} found in the tensor. */
function explainTensor(
  find: FeatureLookup,
  tensor: Pick<TensorExplanation, "tensorName" | "rule" | "representation">,
  why: string,
  findings: readonly string[],
): TensorExplanation {
  const { tensorName, rule, representation } = tensor;
  const feature =
    representation.kind.case === undefined ? undefined : find(getSourceValueColumn(representation));
  return {
    tensorName,
    rule,
    why,
    sourceColumns: getSourceColumns(representation),
    representation,
    spec: expectedTypeSpec(representation, feature?.type),
    problems: [...findings, ...(feature === undefined ? [] : problemsOf(feature))],
  };
}

/**
 * Returns the problems with the feature that holds a tensor's values. {@link checkTensorRepresentations} does not report these.
 */
function problemsOf(feature: Feature): readonly string[] {
  const problems: string[] = [];
  const inactive = inactiveBecause(feature);
  if (inactive !== undefined) problems.push(`the feature "${feature.name}" has ${inactive}`);
  if (feature.type === FeatureType.TYPE_UNKNOWN) {
    problems.push(`the feature "${feature.name}" has no type; set type to INT, FLOAT or BYTES`);
  }
  return problems;
}

/** Describes the rule that chose an inferred representation. */
function whyOf(find: FeatureLookup, { rule, path, tensorName, representation }: InferredTensor): string {
  switch (rule) {
    case "sparse-feature":
      return `sparse_feature ${tensorName} joins ${getSourceColumns(representation).join(" and ")}`;
    case "struct-child":
      return `it is a child of the STRUCT feature ${path.initialStep()}`;
    case "fixed-shape":
      return "shape is set and presence.min_fraction is 1";
    case "variable-length":
    case "variable-length-as-ragged": {
      const set = find(path)?.shapeType.case;
      const why =
        set === "valueCount"
          ? "value_count does not fix the shape"
          : set === "shape"
            ? "the legacy profile ignores shape"
            : "no shape is set";
      return rule === "variable-length" ? why : `${why}, and represent_variable_length_as_ragged is true`;
    }
    case "fixed-value-count":
      return "value_count has min = max (legacy profile)";
  }
}
