import { aString, isObject, isTagged, membersOf, type Rule, required, rule } from "@tfxio/wire/checks";
import { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** An Arrow schema, recognized by apache-arrow's own check. */
export const anArrowSchema: Rule = rule("an Arrow Schema", (value) => ArrowSchema.isSchema(value));
/** An Arrow record batch, recognized by apache-arrow's own check. */
export const aRecordBatch: Rule = rule("an Arrow RecordBatch", (value) => RecordBatch.isRecordBatch(value));
/** A Map. Checked by its tag, because `instanceof` rejects maps from other realms, such as jest's vm. */
export const aMap: Rule = rule("a Map", isTagged("Map"));

/** Returns the rule for a TensorFlow.js module that has these functions. Any installed copy of TensorFlow.js passes. */
export function aTensorFlow(...functions: readonly string[]): Rule {
  const expected = `TensorFlow.js, with the function${functions.length > 1 ? "s" : ""} ${functions.join(", ")}`;
  return rule(expected, (tf) => functions.every((name) => typeof membersOf(tf)[name] === "function"));
}

/** The option `tf` of functions that create tensors. It has no default. */
export const aTensorFactory: Rule = required(aTensorFlow("tensor"));
/** A policy, or policies by tensor name. The policy names are checked when they are used. */
export const aPolicy: Rule = rule(
  "a policy, or policies by tensor name",
  (value) => aString.holds(value) || isObject(value),
);
/** A minimum size in bytes: 0 includes every size, `Infinity` none. */
export const aByteThreshold: Rule = rule("0 or more", (value) => typeof value === "number" && value >= 0);

/** The spec of a dense, sparse or ragged tensor. */
export const aTypeSpec: Rule = rule(
  "a TypeSpec",
  (value) => typeof membersOf(value)["isCompatibleWith"] === "function",
);

/** A dense tensor, from any installed copy of TensorFlow.js. */
export const aTensor: Rule = rule("a tensor", isTensor);
/** A dense, sparse or ragged tensor. */
export const anyTensor: Rule = rule(
  "a tensor",
  (value) => isTensor(value) || isTensor(membersOf(value)["values"]),
);

function isTensor(value: unknown): boolean {
  return ["dataId", "dtype", "shape"].every((name) => name in Object(value));
}
