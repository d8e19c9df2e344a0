import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * A side input is decoded to a generator, and that generator is cached: from the second element on it is exhausted, and the job
 * ends with a wrong answer. Keeps the decoded values in a list.
 */
export const decodeSideInputsOnce: Repair = {
  defect: "side inputs are empty from the second element on",
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
