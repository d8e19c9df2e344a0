import { clearField, clone, create, isFieldSet, type MessageInitShape } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ArgumentError } from "@tfxio/wire";
import {
  aBoolean,
  aList,
  aListOf,
  aListOfNames,
  anInteger,
  aNumber,
  aString,
  assertArgument,
  assertOptions,
  invalidArgument,
  oneOf,
  unusableArgument,
} from "@tfxio/wire/checks";
import {
  type Feature,
  FeaturePresenceSchema,
  FeatureSchema,
  type FixedShape,
  FixedShapeSchema,
  FloatDomainSchema,
  IntDomainSchema,
  LifecycleStage,
  LifecycleStageSchema,
  StringDomainSchema,
  type TensorRepresentation,
  type TensorRepresentation_DefaultValue,
  ValueCountSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { denseRepresentation } from "../inference/build-representation.js";
import { defaultMessage } from "./default-message.js";
import type { DefaultValues, FeatureKind, FeatureShape } from "./feature-kind.js";
import { assertBounds, toInt64 } from "./limits.js";

/** Feature builders by feature name. */
export interface FeatureDefinitions {
  readonly [name: string]: AnyFeatureBuilder;
}

/** A builder of any kind, shape and children. */
export type AnyFeatureBuilder = FeatureBuilder<FeatureKind, FeatureShape, FeatureDefinitions>;

/** The children of a feature that is not a struct. */
export type NoChildren = Readonly<Record<string, never>>;

/** Makes a method uncallable for the kinds `Rejected`. It stays callable if a builder's kind is known only at run time. */
type Unless<Kind extends FeatureKind, Rejected extends FeatureKind> = [Kind] extends [Rejected]
  ? never
  : unknown;

/**
 * Fields that {@link FeatureBuilder.with} cannot set. Functions such as `int` set the type, methods such as `shape` set the
 * shape, and `defineSchema` sets the name.
 */
type TypedFields = "$typeName" | "name" | "type" | "shapeType";

const PRESENCE_RULES = { minFraction: aNumber(0, 1), minCount: anInteger(0) };

/**
 * One feature of a schema under construction. Immutable: every method returns a new builder. A builder wraps a complete TFMD
 * `Feature`, so it keeps fields for which it has no method. To set such a field, use {@link FeatureBuilder.with}.
 */
export class FeatureBuilder<
  Kind extends FeatureKind,
  Shape extends FeatureShape,
  Children extends FeatureDefinitions = NoChildren,
> {
  readonly kind: Kind;
  /** Dimensions of one example's value: `[]` for a scalar, undefined for a variable length. */
  readonly dimensions: Shape;
  /** Builders of a struct's children, by name; empty for any other kind. */
  readonly children: Children;
  /** The wrapped feature. Do not change it. `defineSchema` copies it and names the copy after the feature's key. */
  readonly message: Feature;
  /**
   * The explicit representation of the feature's own tensor, if any. Do not change it. `defineSchema` copies it and sets the
   * copy's column to the feature's key.
   */
  readonly representation: TensorRepresentation | undefined;

  /** Wraps the arguments without copying or checking them. Prefer `int`, `float`, `bytes`, `struct` and `featureFrom`. */
  constructor(
    kind: Kind,
    dimensions: Shape,
    children: Children,
    message: Feature,
    representation?: TensorRepresentation,
  ) {
    this.kind = kind;
    this.dimensions = dimensions;
    this.children = children;
    this.message = message;
    this.representation = representation;
  }

  /** The value for rows without the feature; undefined if there is none. */
  get defaultValue(): TensorRepresentation_DefaultValue | undefined {
    const kind = this.representation?.kind;
    return kind?.case === "denseTensor" ? kind.value.defaultValue : undefined;
  }

  /**
   * Sets a fixed shape, `[]` for a scalar, so that a top-level feature becomes a dense tensor. Also sets `presence.min_fraction`
   * to 1, because a fixed shape requires the feature in every example. For features that may be missing, see
   * {@link FeatureBuilder.default}. Replaces any earlier shape, value count, default and explicit representation.
   * @throws {ArgumentError} `invalid-argument`, reason `shape`, for a size that is not an integer from 0 to 2^53 - 1;
   *   reason `feature-kind` for a struct.
   */
  shape<const Dimensions extends readonly number[]>(
    dimensions: Dimensions & Unless<Kind, "struct">,
  ): FeatureBuilder<Kind, Dimensions, Children> {
    this.#assertKind("shape", "int", "float", "bytes", "unknown");
    assertArgument("dimensions", dimensions, aList, "shape");
    for (const [index, size] of dimensions.entries()) {
      if (aSize.holds(size)) continue;
      throw invalidArgument("dimensions", aSize.expected, size, {
        owner: "shape",
        at: `[${index}]`,
        reason: "shape",
      });
    }
    const message = clone(FeatureSchema, this.message);
    message.shapeType = { case: "shape", value: fixedShape(dimensions) };
    setPresence(message, { minFraction: 1 });
    return new FeatureBuilder<Kind, Dimensions, Children>(this.kind, dimensions, this.children, message);
  }

  /**
   * Lets examples omit a feature of fixed shape. If an example omits it, `value` fills every element of its row in the dense
   * tensor. As TFX requires for such features, `value_count` replaces `shape`, and `presence.min_fraction` is cleared. An
   * explicit representation holds the shape and the default.
   * @throws {ArgumentError} `invalid-argument`, reason `feature-kind` if `value` does not match the feature's kind. For an int
   *   feature, reason `int64` for a bigint outside the int64 range or a number that is not a safe integer. Reason `shape` for a
   *   feature without a fixed shape.
   */
  default<Dimensions extends readonly number[]>(
    this: FeatureBuilder<Kind, Dimensions, Children>,
    value: DefaultValues[Kind],
  ): FeatureBuilder<Kind, Dimensions, Children> {
    const defaultValue = defaultMessage(this.kind, value);
    if (this.dimensions === undefined) {
      throw new ArgumentError(
        "invalid-argument",
        "A default value requires a fixed shape; call shape() first.",
        { reason: "shape", argument: "value" },
      );
    }
    const message = clone(FeatureSchema, this.message);
    const numValues = this.dimensions.reduce((product, size) => product * BigInt(size), 1n);
    message.shapeType = {
      case: "valueCount",
      value: create(ValueCountSchema, { min: numValues, max: numValues }),
    };
    const presence = message.presenceConstraints;
    if (presence.case === "presence" && isFieldSet(presence.value, FeaturePresenceSchema.field.minCount)) {
      clearField(presence.value, FeaturePresenceSchema.field.minFraction);
    } else {
      message.presenceConstraints = { case: undefined };
    }
    const representation = denseRepresentation(message.name, fixedShape(this.dimensions), defaultValue);
    return new FeatureBuilder(this.kind, this.dimensions, this.children, message, representation);
  }

  /**
   * Sets inclusive bounds on the number of values in each example that has the feature. Makes the length variable.
   * Replaces any earlier shape, default and explicit representation.
   * @throws {ArgumentError} `invalid-argument`, reason `int64` for a bound that is not a safe integer, or reason `bounds` unless
   *   0 <= `min` <= `max`.
   */
  valueCount(min: number, max: number): FeatureBuilder<Kind, undefined, Children> {
    const counts = { min: toInt64(min, "valueCount: min"), max: toInt64(max, "valueCount: max") };
    if (min < 0) {
      throw unusableArgument("valueCount", `must have a min of at least 0, found ${min}`, {
        reason: "bounds",
      });
    }
    assertBounds(min, max, "valueCount");
    const message = clone(FeatureSchema, this.message);
    message.shapeType = { case: "valueCount", value: create(ValueCountSchema, counts) };
    return new FeatureBuilder(this.kind, undefined, this.children, message);
  }

  /**
   * Requires the feature in at least `minCount` examples and in at least the fraction `minFraction` (0 to 1) of all examples.
   * An omitted constraint keeps its earlier value.
   * @throws {ArgumentError} `invalid-argument`, reason `bounds`, for a fraction outside 0 to 1, or a count that is negative or
   *   not an integer.
   */
  presence(constraints: {
    readonly minFraction?: number;
    readonly minCount?: number;
  }): FeatureBuilder<Kind, Shape, Children> {
    // The values are checked below, because their errors have the reason `bounds`.
    assertOptions("presence", constraints, { minFraction: null, minCount: null });
    for (const [name, rule] of Object.entries(PRESENCE_RULES)) {
      const value = constraints[name as keyof typeof PRESENCE_RULES];
      if (value === undefined || rule.holds(value)) continue;
      throw invalidArgument(name, rule.expected, value, { owner: "presence", reason: "bounds" });
    }
    return this.#changed((message) => setPresence(message, constraints));
  }

  /**
   * Sets the smallest and largest value, both inclusive. `categorical` marks numbers that are identifiers, not quantities.
   * Replaces any earlier domain of the feature.
   * @throws {ArgumentError} `invalid-argument`, reason `feature-kind` unless the feature is of kind int or float. Reason `bounds`
   *   if `min` is above `max` or either is NaN. Reason `int64` if a limit of an int feature is not a safe integer.
   */
  range(
    limits: { readonly min?: number; readonly max?: number; readonly categorical?: boolean } & Unless<
      Kind,
      "bytes" | "struct" | "unknown"
    >,
  ): FeatureBuilder<Kind, Shape, Children> {
    this.#assertKind("range", "int", "float");
    const options: { readonly min?: number; readonly max?: number; readonly categorical?: boolean } = limits;
    assertOptions("range", options, { min: null, max: null, categorical: aBoolean });
    const { min, max, categorical } = options;
    assertBounds(min, max, "range");
    const isCategorical = categorical !== undefined && { isCategorical: categorical };
    return this.#changed((message) => {
      if (this.kind === "int") {
        const bounds = {
          ...(min !== undefined && { min: toInt64(min, "range: min") }),
          ...(max !== undefined && { max: toInt64(max, "range: max") }),
        };
        message.domainInfo = {
          case: "intDomain",
          value: create(IntDomainSchema, { ...bounds, ...isCategorical }),
        };
      } else {
        const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
        message.domainInfo = {
          case: "floatDomain",
          value: create(FloatDomainSchema, { ...bounds, ...isCategorical }),
        };
      }
    });
  }

  /**
   * Restricts the feature to the given values. Replaces any earlier domain of the feature.
   * @throws {ArgumentError} `invalid-argument`, reason `feature-kind`, unless the feature is of kind bytes.
   */
  values(
    values: readonly string[] & Unless<Kind, "int" | "float" | "struct" | "unknown">,
  ): FeatureBuilder<Kind, Shape, Children> {
    this.#assertKind("values", "bytes");
    assertArgument("values", values, aListOf("a list of strings", aString));
    return this.#changed((message) => {
      message.domainInfo = {
        case: "stringDomain",
        value: create(StringDomainSchema, { value: [...values] }),
      };
    });
  }

  /**
   * Sets the environments to which the feature belongs, in addition to the schema's default environments. Replaces the
   * environments of an earlier call.
   */
  inEnvironments(...environments: readonly string[]): FeatureBuilder<Kind, Shape, Children> {
    assertArgument("inEnvironments", environments, aListOfNames);
    return this.#changed((message) => {
      message.inEnvironment = [...environments];
    });
  }

  /**
   * Sets the environments to which the feature does not belong. Replaces the environments of an earlier call. `defineSchema`
   * rejects an environment that is neither a default environment nor in any feature's `inEnvironments`.
   */
  notInEnvironments(...environments: readonly string[]): FeatureBuilder<Kind, Shape, Children> {
    assertArgument("notInEnvironments", environments, aListOfNames);
    return this.#changed((message) => {
      message.notInEnvironment = [...environments];
    });
  }

  /**
   * Sets the lifecycle stage. No tensors are inferred from top-level features in stages other than UNKNOWN_STAGE, BETA and
   * PRODUCTION.
   * @throws {ArgumentError} `invalid-argument` for an unknown stage.
   */
  stage(stage: keyof typeof LifecycleStage): FeatureBuilder<Kind, Shape, Children> {
    assertArgument("stage", stage, oneOf(...LifecycleStageSchema.values.map(({ localName }) => localName)));
    return this.#changed((message) => {
      message.lifecycleStage = LifecycleStage[stage];
    });
  }

  /** Sets fields of TFMD's `Feature` for which there is no method: `with({ uniqueConstraints: { min: 1n } })`. */
  with(
    fields: Omit<
      MessageInitShape<typeof FeatureSchema>,
      TypedFields | (Kind extends "struct" ? "domainInfo" : never)
    >,
  ): FeatureBuilder<Kind, Shape, Children> {
    return this.#changed((message) => {
      const source = reflect(FeatureSchema, create(FeatureSchema, fields));
      const target = reflect(FeatureSchema, message);
      for (const field of FeatureSchema.fields) {
        if (isFieldSet(source.message, field)) target.set(field, source.get(field));
      }
    });
  }

  #assertKind(method: string, ...kinds: readonly FeatureKind[]): void {
    if (kinds.includes(this.kind)) return;
    throw new ArgumentError(
      "invalid-argument",
      `${method}() requires a feature of kind ${kinds.join(" or ")}, found kind ${this.kind}.`,
      { reason: "feature-kind", argument: method },
    );
  }

  /** Applies `change` to a copy of the wrapped feature. Keeps the dimensions, children and representation. */
  #changed(change: (message: Feature) => void): FeatureBuilder<Kind, Shape, Children> {
    const message = clone(FeatureSchema, this.message);
    change(message);
    return new FeatureBuilder(this.kind, this.dimensions, this.children, message, this.representation);
  }
}

const aSize = anInteger(0);

function fixedShape(dimensions: readonly number[]): FixedShape {
  return create(FixedShapeSchema, { dim: dimensions.map((size) => ({ size: BigInt(size) })) });
}

/** Sets the given constraints in `message` and keeps the others. */
function setPresence(
  message: Feature,
  constraints: { readonly minFraction?: number; readonly minCount?: number },
): void {
  const presence =
    message.presenceConstraints.case === "presence"
      ? message.presenceConstraints.value
      : create(FeaturePresenceSchema);
  if (constraints.minFraction !== undefined) presence.minFraction = constraints.minFraction;
  if (constraints.minCount !== undefined) {
    presence.minCount = toInt64(constraints.minCount, "presence: minCount");
  }
  message.presenceConstraints = { case: "presence", value: presence };
}
