import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * The SDK decodes a side input to a generator, and caches that generator. The first element that reads the side input exhausts
 * the generator, so all later elements see an empty side input, and the job ends as DONE with a wrong result. This repair caches
 * a list of the values.
 */
export const decodeSideInputsOnce: Repair = {
  defect: "side inputs are empty after the first element",
  apply({ state: { CachingStateProvider } }) {
    const { prototype } = CachingStateProvider;
    replaceMethod(
      prototype,
      "getState",
      (getState) =>
        function (this: typeof prototype, key, decode) {
          return getState.call(this, key, (bytes: Uint8Array) => {
            const value: unknown = decode(bytes);
            return isIterator(value) ? [...value] : value;
          });
        } as typeof getState,
    );
  },
};

function isIterator(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { readonly next?: unknown }).next === "function" &&
    Symbol.iterator in value
  );
}
