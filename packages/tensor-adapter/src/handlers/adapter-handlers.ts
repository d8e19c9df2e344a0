import type { TensorAdapterConfig } from "../adapter-options.js";
import { assertHandlers, checkedHandler, trusted } from "./checked-handler.js";
import { createHandler } from "./create-handler.js";
import { named } from "../named-errors.js";
import { assertRowPolicies } from "../rows/row-policies.js";
import type { TensorHandler } from "./tensor-handler.js";

/**
 * Returns the handler of each tensor of an adapter, by name. Representations come first, then custom handlers. A custom handler
 * replaces the representation of the same name.
 * @throws The errors of `TensorAdapter`'s constructor, except `bad-original-specs`.
 */
export function adapterHandlers(config: TensorAdapterConfig): ReadonlyMap<string, TensorHandler> {
  const { arrowSchema, tensorRepresentations, handlers = new Map<string, TensorHandler>() } = config;
  assertHandlers(handlers);
  const made = Array.from(tensorRepresentations, ([name, representation]) => {
    const make = (): TensorHandler => trusted(createHandler(representation, arrowSchema, config, name));
    return [name, handlers.get(name) ?? named(name, "Unable to handle tensor", make)] as const;
  });
  const given = Array.from(handlers, ([name, handler]) => [name, checkedHandler(name, handler)] as const);
  const all = new Map([...made, ...given]);
  // Row policies do not apply to custom handlers, not even to dense ones.
  const kinds = Array.from(
    all,
    ([name, { typeSpec }]) => [name, handlers.has(name) ? "own" : typeSpec.kind] as const,
  );
  assertRowPolicies(config, new Map(kinds));
  return all;
}
