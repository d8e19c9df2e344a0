import { invalidArgument, isObject } from "@tfxio/wire/checks";
import type { Json } from "../expression/json.js";
import { constantFromJson } from "./constants-from-json.js";
import type { ValueFunction } from "./value-function.js";
import { valueFunctions } from "./value-functions.js";

/**
 * Reads a built-in function from untrusted JSON. Its arguments get the same checks as in a direct call, except that the type of a
 * `cast` is checked later, by `functionType`.
 * @throws {ArgumentError} `invalid-argument`.
 */
export function functionFromJson(json: Json | undefined): ValueFunction {
  if (!isObject(json)) throw invalidArgument("fn", "an object with name and args", json);
  const { name, args } = json as { readonly name?: Json; readonly args?: Json };
  if (typeof name !== "string" || !Object.hasOwn(valueFunctions, name)) {
    throw invalidArgument("fn", "the name of a built-in function", name, { at: ".name" });
  }
  if (Array.isArray(args)) {
    const made = remade(name as keyof typeof valueFunctions, args as readonly Json[]);
    if (JSON.stringify(made.args) === JSON.stringify(args)) return made;
  }
  throw invalidArgument("fn", `a list of valid arguments for ${name}`, args, { at: ".args" });
}

/** Creates the function `name` with these arguments. `valueFunctions[name]` checks them, unless `name` is `cast`. */
function remade(name: keyof typeof valueFunctions, args: readonly Json[]): ValueFunction {
  const [first, second, third] = args;
  switch (name) {
    case "substring":
      return valueFunctions.substring(first as number, (second ?? undefined) as number | undefined);
    case "hash":
      return valueFunctions.hash(first as number);
    case "bucketize":
      return valueFunctions.bucketize(first as readonly number[]);
    case "cast":
      return { name, args: [first ?? null] };
    case "vocabulary": {
      const terms = Array.isArray(first) ? (first as readonly Json[]).map(constantFromJson) : [];
      return valueFunctions.vocabulary(terms, {
        defaultId: second as number,
        numOovBuckets: third as number,
      });
    }
    default: {
      const make = valueFunctions[name] as (constant?: unknown) => ValueFunction;
      return first === undefined ? make() : make(constantFromJson(first));
    }
  }
}
