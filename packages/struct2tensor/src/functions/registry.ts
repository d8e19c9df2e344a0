import type { DType } from "@tfxio/tensor-adapter";
import { SchemaError } from "@tfxio/wire";
import { invalidArgument, isObject } from "@tfxio/wire/checks";
import { arithmetic } from "./arithmetic.js";
import { bytes } from "./bytes.js";
import { cast } from "./cast.js";
import { comparison } from "./comparison.js";
import { lookup } from "./lookup.js";
import type { ValueFunction, ValueFunctionSpec } from "./value-function.js";

const specs: ReadonlyMap<string, ValueFunctionSpec> = new Map(
  Object.entries({ ...arithmetic, ...comparison, ...bytes, ...lookup, cast }),
);

const names = [...specs.keys()];

/** Returns true for an object whose `name` is text, as in a {@link ValueFunction}. Does not check that the function exists. */
export function isValueFunction(value: unknown): value is ValueFunction {
  return isObject(value) && typeof (value as ValueFunction).name === "string";
}

/**
 * Returns the implementation of a function.
 * @throws {ArgumentError} `invalid-argument` if the arguments are not a list, or (`unknown-function`) if the name is unknown.
 */
export function specOfFunction({ name, args }: ValueFunction): ValueFunctionSpec {
  const spec = specs.get(name);
  if (spec !== undefined) {
    if (Array.isArray(args)) return spec;
    throw invalidArgument("fn.args", "a list of constants", args);
  }
  throw invalidArgument("fn", `a callback or a built-in function (${names.join(", ")})`, name, {
    reason: "unknown-function",
  });
}

/**
 * Returns the result type of a function.
 * @throws {SchemaError} `schema-mismatch` (`function-input`) if it does not accept these types, or this number of fields.
 * @throws {ArgumentError} `invalid-argument` if a constant does not fit these types, if the arguments are not a list, or
 *   (`unknown-function`) if the name is unknown.
 */
export function functionType(fn: ValueFunction, inputs: readonly DType[]): DType {
  const spec = specOfFunction(fn);
  const numInputs = spec.numInputs(fn.args);
  const type = inputs.length === numInputs ? spec.resultType(inputs, fn.args) : undefined;
  if (type !== undefined) {
    spec.assertConstants?.(inputs[0]!, fn.args);
    return type;
  }
  throw new SchemaError(
    "schema-mismatch",
    `The function "${fn.name}" takes ${spec.takes}, from ${numInputs === 1 ? "one field" : `${numInputs} fields`}; found ${inputs.join(" and ") || "no fields"}.`,
    { reason: "function-input", expected: spec.takes, actual: inputs.join(", ") },
  );
}
