import { clearField, clone, create, isFieldSet, type MessageInitShape } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ArgumentError } from "@tfxio/wire";
import {
  aBoolean,
  aList,
  aListOf,
  aListOfNames,
  anInteger,
  aString,
  assertArgument,
  assertOptions,
  invalidArgument,
  oneOf,
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

/** Features by name. */
export interface FeatureDefinitions {
  readonly [name: string]: AnyFeatureBuilder;
}
/** A builder of any kind, shape and children. */
export type AnyFeatureBuilder = FeatureBuilder<FeatureKind, FeatureShape, FeatureDefinitions>;

/** The children of a feature that is not a struct. */
export type NoChildren = Readonly<Record<string, never>>;

/** Makes a method uncallable for features of other kinds. A kind known only at run time may call it. */
type Unless<Kind extends FeatureKind, Refused extends FeatureKind> = [Kind] extends [Refused]
  ? never
  : unknown;

/** Fields that {@link FeatureBuilder.with} cannot set, since the builder's type depends on them. */
type TypedFields = "$typeName" | "name" | "type" | "shapeType";

/**
 * One feature of a schema under construction. Immutable: every method returns a new builder. It wraps a complete TFMD
 * `Feature`, so fields without a method are kept. Set them with {@link FeatureBuilder.with}.
 */
export class FeatureBuilder<
  Kind extends FeatureKind,
  Shape extends FeatureShape,
  Children extends FeatureDefinitions = NoChildren,
> {
  readonly kind: Kind;
  readonly dimensions: Shape;
  readonly children: Children;
  /** The feature; its name is the key under which `defineSchema` gets it. Do not change it. */
  readonly message: Feature;
  /**
   * The explicit representation of the feature's own tensor, if any. Its column is the key under which
   * `defineSchema` gets the feature. Do not change it.
   */
  readonly representation: TensorRepresentation | undefined;

  /** Prefer `int`, `float`, `bytes`, `struct` and `featureFrom`. */
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

  /** The value of rows without the feature. */
  get defaultValue(): TensorRepresentation_DefaultValue | undefined {
    const kind = this.representation?.kind;
    return kind?.case === "denseTensor" ? kind.value.defaultValue : undefined;
  }

  /**
   * A fixed shape, `[]` for a scalar: a dense tensor. Also says that every example has the feature
   * (`presence.min_fraction` 1), without which a fixed shape is an error; see {@link FeatureBuilder.default} for
   * features that may be missing. Replaces any earlier shape, value count, default and explicit representation.
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
   * Lets examples lack a feature of fixed shape: `value` then fills every element of the dense tensor. The schema gets
   * `value_count` instead of `shape`, as TFX requires for such features, no `presence.min_fraction`, and an explicit
   * representation with the shape and the default.
   * @throws {ArgumentError} `invalid-argument`, reason `int64`, for an int default that is not an int64; reason `feature-kind` for a
   *   value of another kind; reason `shape` for a feature without a fixed shape.
   */
  default<Dimensions extends readonly number[]>(
    this: FeatureBuilder<Kind, Dimensions, Children>,
    value: DefaultValues[Kind],
  ): FeatureBuilder<Kind, Dimensions, Children> {
    const defaultValue = defaultMessage(this.kind, value);
    if (this.dimensions === undefined) {
      throw new ArgumentError(
        "invalid-argument",
        "a default value is for a feature with a fixed shape; call shape() before",
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
   * Bounds, both inclusive, on the number of values in each example that has the feature. Makes the length variable, and
   * replaces any earlier shape, default and explicit representation.
   * @throws {ArgumentError} `invalid-argument`, reason `int64`, or `bounds` unless 0 <= `min` <= `max`.
   */
  valueCount(min: number, max: number): FeatureBuilder<Kind, undefined, Children> {
    const counts = { min: toInt64(min), max: toInt64(max) };
    assertBounds(0, min, "valueCount");
    assertBounds(min, max, "valueCount");
    const message = clone(FeatureSchema, this.message);
    message.shapeType = { case: "valueCount", value: create(ValueCountSchema, counts) };
    return new FeatureBuilder(this.kind, undefined, this.children, message);
  }

  /**
   * The number of examples that have the feature: at least `minCount`, and at least the fraction `minFraction`.
   * @throws {ArgumentError} `invalid-argument`, reason `bounds`, for a fraction that is not from 0 to 1 and a count below 0.
   */
  presence(constraints: {
    readonly minFraction?: number;
    readonly minCount?: number;
  }): FeatureBuilder<Kind, Shape, Children> {
    // The bounds are checked below.
    assertOptions("presence", constraints, { minFraction: null, minCount: null });
    const { minFraction = 0, minCount = 0 } = constraints;
    assertBounds(0, minFraction, "presence");
    assertBounds(minFraction, 1, "presence");
    assertBounds(0, minCount, "presence");
    return this.#changed((message) => setPresence(message, constraints));
  }

  /**
   * Smallest and largest value, both inclusive. `categorical`: the numbers are names, not quantities.
   * @throws {ArgumentError} `invalid-argument`, reason `feature-kind`, for features of other kinds than int and float;
   *   reason `bounds` when no number lies in the range.
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
          ...(min !== undefined && { min: toInt64(min) }),
          ...(max !== undefined && { max: toInt64(max) }),
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
   * The only values that the feature may have.
   * @throws {ArgumentError} `invalid-argument`, reason `feature-kind`, for features of other kinds than bytes.
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

  /** Examples of these environments have the feature, in addition to those of the default environments. */
  inEnvironments(...environments: readonly string[]): FeatureBuilder<Kind, Shape, Children> {
    assertArgument("inEnvironments", environments, aListOfNames);
    return this.#changed((message) => {
      message.inEnvironment = [...environments];
    });
  }

  /** Examples of these environments lack the feature. `defineSchema` refuses one that the schema does not know. */
  notInEnvironments(...environments: readonly string[]): FeatureBuilder<Kind, Shape, Children> {
    assertArgument("notInEnvironments", environments, aListOfNames);
    return this.#changed((message) => {
      message.notInEnvironment = [...environments];
    });
  }

  /**
   * The lifecycle stage. Features in stages other than UNKNOWN_STAGE, BETA and PRODUCTION make no tensors.
   * @throws {ArgumentError} `invalid-argument` for an unknown stage.
   */
  stage(stage: keyof typeof LifecycleStage): FeatureBuilder<Kind, Shape, Children> {
    assertArgument("stage", stage, oneOf(...LifecycleStageSchema.values.map(({ localName }) => localName)));
    return this.#changed((message) => {
      message.lifecycleStage = LifecycleStage[stage];
    });
  }

  /** Sets any other field of TFMD's `Feature`: `with({ uniqueConstraints: { min: 1n } })`. */
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
      `${method} is for features of the kinds ${kinds.join(", ")}; this one is of the kind ${this.kind}`,
      { reason: "feature-kind", argument: method },
    );
  }

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

function setPresence(
  message: Feature,
  constraints: { readonly minFraction?: number; readonly minCount?: number },
): void {
  const presence =
    message.presenceConstraints.case === "presence"
      ? message.presenceConstraints.value
      : create(FeaturePresenceSchema);
  if (constraints.minFraction !== undefined) presence.minFraction = constraints.minFraction;
  if (constraints.minCount !== undefined) presence.minCount = toInt64(constraints.minCount);
  message.presenceConstraints = { case: "presence", value: presence };
}
