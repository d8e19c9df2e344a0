import type { ByteStore } from "./byte-store.js";
import { describeValue, invalidArgument } from "../checks/index.js";
import { ArgumentError } from "../errors.js";

/** The scheme that `name` begins with, lower case and with its colon; null for a path. */
export function schemeOf(name: string): string | null {
  // Two letters at least: C:\data is a path.
  return /^[a-z][a-z0-9+.-]+:/i.exec(name)?.[0].toLowerCase() ?? null;
}

/** The store that claims the scheme of `name`, if any. */
export function storeOf(name: string, stores: readonly ByteStore[]): ByteStore | undefined {
  const scheme = schemeOf(name);
  return scheme === null ? undefined : stores.find(({ schemes }) => schemes.includes(scheme));
}

/**
 * @throws {ArgumentError} `invalid-argument` (`store-type`) when `stores` is not a list of {@link ByteStore}s,
 * (`duplicate-scheme`) when two of them claim one scheme.
 */
export function assertStores(stores: unknown): asserts stores is readonly ByteStore[] {
  if (!Array.isArray(stores))
    throw invalidArgument("stores", "a list of ByteStores", stores, { reason: "store-type" });
  const claimed = new Map<string, number>();
  for (const [index, store] of (stores as readonly unknown[]).entries()) {
    assertStore(store, `Store ${index}`);
    for (const scheme of store.schemes) {
      const other = claimed.get(scheme);
      if (other !== undefined) {
        throw new ArgumentError(
          "invalid-argument",
          `Stores ${other} and ${index} both claim ${scheme}; hand in one store for each scheme.`,
          { argument: "stores", reason: "duplicate-scheme" },
        );
      }
      claimed.set(scheme, index);
    }
  }
}

function assertStore(store: unknown, name: string): asserts store is ByteStore {
  if (typeof store !== "object" || store === null) throw badStore(`${name} is ${describeValue(store)}.`);
  const { schemes, open, worker } = store as Partial<ByteStore>;
  if (typeof open !== "function") throw badStore(`${name} has no function open.`);
  if (!Array.isArray(schemes) || schemes.length === 0) throw badStore(`${name} has no list of schemes.`);
  for (const scheme of schemes as readonly unknown[]) {
    if (typeof scheme === "string" && schemeOf(scheme) === scheme) continue;
    throw badStore(
      `${name}: a scheme is lower case and ends in a colon, as "s3:" does; found ${describeValue(scheme)}.`,
    );
  }
  for (const member of ["list", "create", "remove"] as const) {
    const value = (store as Partial<ByteStore>)[member];
    if (value !== undefined && typeof value !== "function")
      throw badStore(`${name}: ${member} is not a function.`);
  }
  if (worker !== undefined && (typeof worker !== "object" || typeof worker?.module !== "string")) {
    throw badStore(`${name}: worker needs the URL of a module as text.`);
  }
}

function badStore(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { argument: "stores", reason: "store-type" });
}
