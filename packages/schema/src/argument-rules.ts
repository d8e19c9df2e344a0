import { aFunction, aString, assertArgument, membersOf, oneOf, type Rule, rule } from "@tfxio/wire/checks";
import type { Schema, TensorRepresentation } from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";

// Messages are recognized by `$typeName`, so that messages made by a second install of protobuf-es pass too.
const aSchema: Rule = rule(
  "a Schema message, as returned by parseSchemaText",
  (value) => membersOf(value)["$typeName"] === "tensorflow.metadata.v0.Schema",
);

const aTensorRepresentation: Rule = rule(
  "a TensorRepresentation message",
  (value) => membersOf(value)["$typeName"] === "tensorflow.metadata.v0.TensorRepresentation",
);

const aMessageDescriptor: Rule = rule(
  "a message descriptor, such as SchemaSchema",
  (value) => membersOf(value)["kind"] === "message",
);

/** Accepts any iterable, because a Map from another realm fails `instanceof`. The entries are not checked. */
const aMapOfRepresentations: Rule = rule("a Map of TensorRepresentations by tensor name", (value) =>
  aFunction.holds(membersOf(value)[Symbol.iterator as never]),
);

const anExplanation: Rule = rule("a SchemaExplanation, as returned by explain", (value) => {
  const { tensors, featuresWithoutTensor } = membersOf(value);
  return Array.isArray(tensors) && Array.isArray(featuresWithoutTensor);
});

/** Rules for the options of inference, explanation and projection. */
export const INFERENCE_RULES: Readonly<Record<"profile" | "group" | "onWarning", Rule>> = {
  profile: oneOf("current", "legacy"),
  group: aString,
  onWarning: aFunction,
};

/** @throws {ArgumentError} `invalid-argument` unless the value is a Schema message. */
export function assertSchema(schema: Schema): void {
  assertArgument("schema", schema, aSchema);
}

/** @throws {ArgumentError} `invalid-argument` unless the value is a TensorRepresentation message. */
export function assertRepresentation(representation: TensorRepresentation): void {
  assertArgument("representation", representation, aTensorRepresentation);
}

/** @throws {ArgumentError} `invalid-argument` unless the value is iterable, as a Map is. */
export function assertRepresentations(representations: unknown): void {
  assertArgument("representations", representations, aMapOfRepresentations);
}

/** @throws {ArgumentError} `invalid-argument` unless the value is the descriptor of a message type. */
export function assertDescriptor(descriptor: unknown): void {
  assertArgument("descriptor", descriptor, aMessageDescriptor);
}

/** @throws {ArgumentError} `invalid-argument` unless the value is a result of `explain`. */
export function assertExplanation(explanation: unknown): void {
  assertArgument("explanation", explanation, anExplanation);
}
