import { create } from "@bufbuild/protobuf";
import { ColumnPath } from "../column-path.js";
import { childrenOf, inactiveBecause, leafFeatures, sparseChildrenOf } from "../features.js";
import {
  type Feature,
  FeatureType,
  FixedShapeSchema,
  type TensorRepresentation_DefaultValue,
  TensorRepresentation_DefaultValueSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import {
  denseRepresentation,
  raggedRepresentation,
  varLenSparseRepresentation,
} from "./build-representation.js";
import type { ImpossibleFeature, Inference, InferenceProfile } from "./inference.js";

/** Options of {@link applyFeatureRule}. */
interface FeatureRuleOptions {
  readonly profile: InferenceProfile;
  /** The schema's `represent_variable_length_as_ragged`. */
  readonly variableLengthAsRagged: boolean;
}

/** Infers the tensors of one top-level feature: for a struct, at most one for each child; for any other feature, at most one. */
export function applyFeatureRule(
  feature: Feature,
  inference: Inference,
  { profile, variableLengthAsRagged }: FeatureRuleOptions,
): void {
  const path = ColumnPath.of(feature.name);
  const inactive = inactiveBecause(feature);
  if (inactive !== undefined) {
    inference.leftOut.push({
      path,
      why: `it has ${inactive}`,
      advice: "If models should use it, set lifecycle_stage: PRODUCTION and remove deprecated: true",
    });
  } else if (feature.type === FeatureType.STRUCT) {
    applyStructRule(feature, path, inference);
  } else if (!(profile === "legacy" ? applyValueCountRule : applyShapeRule)(feature, path, inference)) {
    inference.tensors.push({
      tensorName: feature.name,
      path,
      rule: variableLengthAsRagged ? "variable-length-as-ragged" : "variable-length",
      representation: variableLengthAsRagged
        ? raggedRepresentation(path)
        : varLenSparseRepresentation(feature.name),
    });
  }
}

/** Infers a ragged tensor for each child. Structs and sparse features inside the struct are not supported, as in tfx_bsl. */
function applyStructRule(struct: Feature, path: ColumnPath, inference: Inference): void {
  if (childrenOf(struct).length + sparseChildrenOf(struct).length === 0) {
    const advice = "Write struct_domain { feature { … } } with the features inside it";
    inference.leftOut.push({ path, why: "it is a struct without children", advice });
  }
  for (const { name } of sparseChildrenOf(struct)) {
    const sparsePath = path.child(name);
    const tensorName = sparsePath.steps.join(".");
    inference.impossible.push({
      path: sparsePath,
      tensorName,
      columns: [],
      why: `it is a sparse feature inside the struct ${struct.name}, and tensors are inferred only for top-level sparse features`,
      advice: `Remove it, or add an explicit tensor called "${tensorName}"`,
      unsupported: true,
    });
  }
  // If a child is declared twice, the last declaration is used, at the position of the first, as for top-level features.
  for (const child of new Map(childrenOf(struct).map((each) => [each.name, each])).values()) {
    const childPath = path.child(child.name);
    if (child.type === FeatureType.STRUCT) {
      const leaves = leafFeatures(childrenOf(child), childPath).map((leaf) => leaf.path);
      inference.impossible.push(
        tooDeep(childPath, `it is a struct inside the struct ${struct.name}`, leaves),
      );
    } else {
      inference.tensors.push({
        tensorName: `${struct.name}.${child.name}`,
        path: childPath,
        rule: "struct-child",
        representation: raggedRepresentation(childPath),
      });
    }
  }
}

/** Creates the entry for a feature that is nested too deeply. `leaves` are the leaf features below it. */
function tooDeep(path: ColumnPath, why: string, leaves: readonly ColumnPath[]): ImpossibleFeature {
  const steps = (leaves[0] ?? path).steps.map((step) => `step: ${JSON.stringify(step)}`).join(" ");
  return {
    path,
    tensorName: path.steps.join("."),
    columns: leaves,
    why: `${why}, and no tensors are inferred for features inside a nested struct`,
    advice: `For each feature inside it that is not a struct, add an explicit representation: ragged_tensor { feature_path { ${steps} } }`,
    unsupported: true,
  };
}

/**
 * If `shape` is set, infers a dense tensor. Adds an error instead if `presence.min_fraction` is not 1. Returns whether `shape` is
 * set.
 */
function applyShapeRule(feature: Feature, path: ColumnPath, inference: Inference): boolean {
  if (feature.shapeType.case !== "shape") return false;
  const minFraction = minFractionOf(feature);
  if (minFraction === 1) {
    inference.tensors.push({
      tensorName: feature.name,
      path,
      rule: "fixed-shape",
      representation: denseRepresentation(feature.name, feature.shapeType.value),
    });
  } else {
    inference.impossible.push({
      path,
      tensorName: feature.name,
      columns: [path],
      why: `its fixed shape requires the feature in every example, but presence.min_fraction is ${minFraction}, not 1`,
      advice:
        "Write presence { min_fraction: 1 } if every example has it; otherwise write value_count in place of shape " +
        "and add an explicit dense_tensor representation with a default_value",
      unsupported: false,
    });
  }
  return true;
}

/**
 * Infers a dense tensor if `value_count` has equal bounds above 0: a scalar for 1, otherwise a vector. Returns true if the rule
 * added a tensor or an error for the feature.
 */
function applyValueCountRule(feature: Feature, path: ColumnPath, inference: Inference): boolean {
  const { min, max } =
    feature.shapeType.case === "valueCount" ? feature.shapeType.value : { min: 0n, max: 0n };
  const fail = (why: string, advice: string): true => {
    inference.impossible.push({
      path,
      tensorName: feature.name,
      columns: [path],
      why,
      advice,
      unsupported: false,
    });
    return true;
  };
  if (min < 0n || max < 0n) {
    return fail(`value_count has the bounds ${min} and ${max}`, "Write bounds that are not negative");
  }
  if (min !== max || min === 0n) return false;
  const defaultValue = legacyDefault(feature.type);
  const mayBeMissing = minFractionOf(feature) < 1;
  if (mayBeMissing && defaultValue === undefined) {
    return fail("it may be missing and its type has no default value", "Write type: BYTES, INT or FLOAT");
  }
  const shape = create(FixedShapeSchema, { dim: min === 1n ? [] : [{ size: min }] });
  inference.tensors.push({
    tensorName: feature.name,
    path,
    rule: "fixed-value-count",
    representation: denseRepresentation(feature.name, shape, mayBeMissing ? defaultValue : undefined),
  });
  return true;
}

/**
 * Returns the default value of a feature that may be missing, or undefined for a type that has none.
 * @see tfx_bsl `_LEGACY_DEFAULT_VALUE_FOR_FEATURE_TYPE`
 */
function legacyDefault(type: FeatureType): TensorRepresentation_DefaultValue | undefined {
  const message = create(TensorRepresentation_DefaultValueSchema);
  if (type === FeatureType.BYTES) message.kind = { case: "bytesValue", value: new Uint8Array() };
  else if (type === FeatureType.INT) message.kind = { case: "intValue", value: -1n };
  else if (type === FeatureType.FLOAT) message.kind = { case: "floatValue", value: -1 };
  else return undefined;
  return message;
}

/** Returns `presence.min_fraction`. An unset presence requires nothing, so the result is 0. */
function minFractionOf(feature: Feature): number {
  return feature.presenceConstraints.case === "presence" ? feature.presenceConstraints.value.minFraction : 0;
}
