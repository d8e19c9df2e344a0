import { ArgumentError, ConversionError, ProtoWriter, WireType } from "@tfxio/wire";
import {
  anObject,
  assertArgument,
  assertOptions,
  describeValue,
  invalidArgument,
  type OptionRules,
} from "@tfxio/wire/checks";

/** Values of a feature, with their kind. Empty `values` are written as an empty list, which differs from null. */
export type FeatureValues =
  /** Strings are encoded as UTF-8. */
  | { readonly kind: "bytes"; readonly values: readonly (string | Uint8Array)[] }
  /** Rounded to float32. A finite value beyond the range of float32, such as 1e300, throws. Infinity and NaN are allowed. */
  | { readonly kind: "float"; readonly values: readonly number[] | Float32Array | Float64Array }
  /** Written exactly. A number must be a safe integer. */
  | {
      readonly kind: "int64";
      readonly values: readonly (number | bigint)[] | BigInt64Array | Int32Array | Uint8Array;
    };

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const listFields = { bytes: 1, float: 2, int64: 3 } as const;

/**
 * Serializes a tf.Example with `features`, in the order of the object's keys. Null writes a feature without a kind. Numbers are
 * packed. The caller owns the result.
 * @throws {ConversionError} `not-convertible` (`cell-value`) for a value that does not match its kind, or text that is not valid
 *   Unicode. `out-of-range` (`int64`) for a number that is not a safe integer, or for a bigint outside the int64 range.
 *   `out-of-range` (`float32-range`) for a finite number beyond the range of float32.
 * @throws {ArgumentError} `invalid-argument` if `features` is not an object of features. `invalid-argument` (`feature-kind`) for
 *   an unknown kind.
 */
export function encodeExample(features: Readonly<Record<string, FeatureValues | null>>): Uint8Array {
  assertArgument("features", features, anObject);
  const writer = new ProtoWriter();
  writeFeatures(writer.tag(1, WireType.lengthDelimited), "features", features);
  return writer.finish();
}

/** The parts of a tf.SequenceExample. */
export interface SequenceExampleParts {
  /** Features of the entire sequence. By default, no context is written. Readers treat a missing context as empty. */
  readonly context?: Readonly<Record<string, FeatureValues | null>> | undefined;
  /**
   * The steps of each feature list, by name. A step is a feature, or null for a feature without a kind. A list without steps
   * differs from an absent list. By default, no `feature_lists` message is written. `{}` writes an empty message.
   */
  readonly featureLists?: Readonly<Record<string, readonly (FeatureValues | null)[]>> | undefined;
}

/**
 * Serializes a tf.SequenceExample. Values are encoded as in {@link encodeExample}.
 * @throws {ConversionError} As {@link encodeExample}. The error names the context feature or the list.
 * @throws {ArgumentError} As {@link encodeExample}, also for an unknown part, or a feature list that is not an array.
 */
export function encodeSequenceExample(parts: SequenceExampleParts): Uint8Array {
  assertArgument("parts", parts, anObject, "encodeSequenceExample");
  assertOptions("encodeSequenceExample", parts, PARTS_RULES);
  const writer = new ProtoWriter();
  if (parts.context !== undefined) {
    writeFeatures(writer.tag(1, WireType.lengthDelimited), "context", parts.context);
  }
  if (parts.featureLists !== undefined) {
    const lists = writer.tag(2, WireType.lengthDelimited).beginMessage();
    for (const [name, steps] of Object.entries(parts.featureLists)) {
      if (!Array.isArray(steps))
        throw invalidArgument(`featureLists["${name}"]`, "a list of features", steps);
      const entry = writer.tag(1, WireType.lengthDelimited).beginMessage();
      writer.tag(1, WireType.lengthDelimited).string(unicode(name, name));
      const list = writer.tag(2, WireType.lengthDelimited).beginMessage();
      for (const step of steps)
        writeFeature(writer.tag(1, WireType.lengthDelimited), "featureLists", name, step);
      writer.endMessage(list).endMessage(entry);
    }
    writer.endMessage(lists);
  }
  return writer.finish();
}

const PARTS_RULES: OptionRules<SequenceExampleParts> = { context: anObject, featureLists: anObject };

/** Writes a Features message: one map entry for each feature. `argument` is the name for `features` in errors. */
function writeFeatures(
  writer: ProtoWriter,
  argument: string,
  features: Readonly<Record<string, FeatureValues | null>>,
): void {
  const message = writer.beginMessage();
  for (const [name, values] of Object.entries(features)) {
    const entry = writer.tag(1, WireType.lengthDelimited).beginMessage();
    writer.tag(1, WireType.lengthDelimited).string(unicode(name, name));
    writeFeature(writer.tag(2, WireType.lengthDelimited), argument, name, values);
    writer.endMessage(entry);
  }
  writer.endMessage(message);
}

function writeFeature(
  writer: ProtoWriter,
  argument: string,
  name: string,
  values: FeatureValues | null,
): void {
  const feature = writer.beginMessage();
  if (values !== null) writeList(writer, argument, name, values);
  writer.endMessage(feature);
}

/** Writes the list message of a feature, which contains its values. */
function writeList(writer: ProtoWriter, argument: string, name: string, feature: FeatureValues): void {
  assertFeature(argument, name, feature);
  const list = writer.tag(listFields[feature.kind], WireType.lengthDelimited).beginMessage();
  if (feature.kind === "bytes") {
    for (const value of feature.values) {
      writer.tag(1, WireType.lengthDelimited).lengthDelimited(bytesOf(name, value));
    }
  } else if (feature.values.length > 0) {
    const packed = writer.tag(1, WireType.lengthDelimited).beginMessage();
    if (feature.kind === "float") for (const value of feature.values) writer.float(floatOf(name, value));
    else for (const value of feature.values) writer.int64(int64Of(name, value));
    writer.endMessage(packed);
  }
  writer.endMessage(list);
}

/** Checks a feature at run time, because JavaScript callers have no compiler to check it. */
function assertFeature(argument: string, name: string, feature: unknown): void {
  const { kind, values } = Object(feature) as { readonly kind?: unknown; readonly values?: unknown };
  if (typeof feature !== "object" || isValues(feature)) {
    const expected = `null, or values with their kind such as ${exampleOf(feature)}`;
    throw invalidArgument(`${argument}["${name}"]`, expected, feature);
  }
  if (typeof kind !== "string" || !Object.hasOwn(listFields, kind)) {
    throw new ArgumentError(
      "invalid-argument",
      `The kind of feature "${name}" must be "bytes", "float" or "int64", found ${describeValue(kind)}.`,
      { reason: "feature-kind", argument },
    );
  }
  const isTypedArray = ArrayBuffer.isView(values) && "length" in values && kind !== "bytes";
  if (!Array.isArray(values) && !isTypedArray) {
    const expected = kind === "bytes" ? "a list of strings or Uint8Arrays" : "a list or a typed array";
    throw invalidArgument(`${argument}["${name}"].values`, expected, values);
  }
}

function isValues(feature: unknown): feature is ArrayLike<unknown> {
  return Array.isArray(feature) || ArrayBuffer.isView(feature);
}

/** Returns sample code for an error message: the feature that the caller of an encoder probably meant by `found`. */
function exampleOf(found: unknown): string {
  const value: unknown = isValues(found) && !(found instanceof Uint8Array) ? found[0] : found;
  if (typeof value === "string") return `{ kind: "bytes", values: [${describeValue(value)}] }`;
  if (value instanceof Uint8Array) return '{ kind: "bytes", values: [bytes] }';
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const kind = typeof value === "number" && !Number.isSafeInteger(value) ? "float" : "int64";
  return `{ kind: "${kind}", values: [${isNumber ? describeValue(value) : 1}] }`;
}

/** Returns the bytes of a value. Text is encoded as UTF-8; views are borrowed. */
function bytesOf(name: string, value: unknown): Uint8Array {
  if (typeof value === "string") return new TextEncoder().encode(unicode(name, value));
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw notConvertible(name, value, "a string or bytes");
}

/** Checks that a finite value stays finite as float32. The writer rounds it. */
function floatOf(name: string, value: unknown): number {
  if (typeof value !== "number") throw notConvertible(name, value, "a number");
  if (Number.isFinite(Math.fround(value)) || !Number.isFinite(value)) return value;
  throw new ConversionError(
    "out-of-range",
    `A value of feature "${name}" must be within the float32 range, ±3.4028234663852886e38, found ${value}.`,
    { reason: "float32-range", columnPath: name },
  );
}

function int64Of(name: string, value: unknown): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "bigint" && value >= INT64_MIN && value <= INT64_MAX) return value;
  if (typeof value !== "number" && typeof value !== "bigint") {
    throw notConvertible(name, value, "an integer");
  }
  throw new ConversionError(
    "out-of-range",
    `A value of feature "${name}" must be a bigint in the int64 range or a safe integer, found ${value}.`,
    { reason: "int64", columnPath: name },
  );
}

/**
 * Checks and returns `text`, which is a value of the feature `name`, or the name itself.
 * @throws {ConversionError} `not-convertible` (`cell-value`) for text with unpaired surrogates, which UTF-8 cannot encode.
 */
export function unicode(name: string, text: string): string {
  if (!/\p{Surrogate}/u.test(text)) return text;
  throw notConvertible(name, text, "text without unpaired surrogates");
}

function notConvertible(name: string, value: unknown, expected: string): ConversionError {
  return new ConversionError(
    "not-convertible",
    `Feature "${name}" requires ${expected}, found ${describeValue(value)}.`,
    { reason: "cell-value", columnPath: name },
  );
}
