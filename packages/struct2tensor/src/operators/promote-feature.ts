import { create } from "@bufbuild/protobuf";
import {
  type Feature,
  FeaturePresenceSchema,
  FeatureSchema,
  LifecycleStage,
  ValueCountSchema,
} from "@tfxio/schema";

/** Lifecycle stages, the least mature first. */
const STAGES: readonly LifecycleStage[] = [
  LifecycleStage.DISABLED,
  LifecycleStage.DEPRECATED,
  LifecycleStage.PLANNED,
  LifecycleStage.ALPHA,
  LifecycleStage.DEBUG_ONLY,
  LifecycleStage.VALIDATION_DERIVED,
  LifecycleStage.UNKNOWN_STAGE,
  LifecycleStage.BETA,
  LifecycleStage.PRODUCTION,
];

/**
 * Returns the feature of a promoted field, or undefined if the field or its parent has no feature. The result keeps the type,
 * domain and distribution constraints of the field's feature, and gets the less mature of the two lifecycle stages. It has a
 * presence and a value count only if the parent's feature declares a constant number of elements.
 * @see struct2tensor `promote._get_promote_schema_feature`
 */
export function promoteFeature(
  feature: Feature | undefined,
  parent: Feature | undefined,
): Feature | undefined {
  if (feature === undefined || parent === undefined) return undefined;
  const { type, distributionConstraints, domainInfo, shapeType, presenceConstraints } = feature;
  const promoted = create(FeatureSchema, {
    type,
    domainInfo,
    lifecycleStage: worse(feature.lifecycleStage, parent.lifecycleStage),
    ...(distributionConstraints && { distributionConstraints }),
  });
  const factor = constantCount(parent);
  if (factor === undefined) return promoted;
  if (shapeType.case === "valueCount") {
    const { min, max } = shapeType.value;
    const value = create(ValueCountSchema, { min: min * factor, max: max * factor });
    promoted.shapeType = { case: "valueCount", value };
  }
  if (presenceConstraints.case === "presence") {
    const { minFraction, minCount } = presenceConstraints.value;
    const value = create(FeaturePresenceSchema, {
      minFraction: minFraction === 1 ? 1 : minFraction / Number(factor),
      minCount: minCount / factor,
    });
    promoted.presenceConstraints = { case: "presence", value };
  }
  return promoted;
}

/** Returns the number of elements per parent if the feature declares that it is constant and above 0, otherwise undefined. */
function constantCount({ presenceConstraints, shapeType }: Feature): bigint | undefined {
  if (presenceConstraints.case !== "presence" || presenceConstraints.value.minFraction !== 1)
    return undefined;
  if (shapeType.case !== "valueCount") return undefined;
  const { min, max } = shapeType.value;
  return min === max && min > 0n ? min : undefined;
}

/** Returns the less mature of two stages. */
function worse(a: LifecycleStage, b: LifecycleStage): LifecycleStage {
  return STAGES.indexOf(a) <= STAGES.indexOf(b) ? a : b;
}
