import type { ByteStore } from "./byte-store.js";
import {
  aFunction,
  invalidArgument,
  isObject,
  membersOf,
  type Rule,
  required,
  rule,
} from "../checks/index.js";
import { ArgumentError } from "../errors.js";

/** Returns the scheme at the start of `name`, in lower case and with its colon, or null if `name` is a path. */
export function schemeOf(name: string): string | null {
  // A scheme has at least two characters, because C:\data is a path.
  return /^[a-z][a-z0-9+.-]+:/i.exec(name)?.[0].toLowerCase() ?? null;
}

/** Returns the store for the scheme of `name`, or undefined if there is none. */
export function storeOf(name: string, stores: readonly ByteStore[]): ByteStore | undefined {
  const scheme = schemeOf(name);
  return scheme === null ? undefined : stores.find(({ schemes }) => schemes.includes(scheme));
}

/**
 * Asserts that `stores` is a list of stores with distinct schemes.
 * @throws {ArgumentError} `invalid-argument`, with reason `store-type` if `stores` is not a list of {@link ByteStore}s, or with
 *   reason `duplicate-scheme` if a scheme occurs twice.
 */
export function assertStores(stores: unknown): asserts stores is readonly ByteStore[] {
  if (!Array.isArray(stores))
    throw invalidArgument("stores", "a list of ByteStores", stores, { reason: "store-type" });
  const claimed = new Map<string, number>();
  for (const [index, store] of (stores as readonly unknown[]).entries()) {
    assertStore(store, `[${index}]`);
    for (const scheme of store.schemes) {
      const other = claimed.get(scheme);
      if (other !== undefined) {
        throw new ArgumentError(
          "invalid-argument",
          other === index
            ? `stores[${index}].schemes has "${scheme}" twice.`
            : `Stores ${other} and ${index} both claim ${scheme} URIs. Pass one store for each scheme.`,
          { argument: "stores", reason: "duplicate-scheme" },
        );
      }
      claimed.set(scheme, index);
    }
  }
}

function assertStore(store: unknown, at: string): asserts store is ByteStore {
  const { schemes, open, list, create, remove, worker } = membersOf(store);
  const members: readonly (readonly [name: string, value: unknown, rule: Rule])[] = [
    ["", store, rule("a ByteStore", isObject)],
    [".open", open, required(aFunction)],
    [
      ".schemes",
      schemes,
      required(rule("a list of at least one scheme", (value) => Array.isArray(value) && value.length > 0)),
    ],
    [".list", list, aFunction],
    [".create", create, aFunction],
    [".remove", remove, aFunction],
    [".worker", worker, rule("an object whose `module` is a URL as a string", hasModule)],
  ];
  for (const [name, value, { holds, expected, isRequired }] of members) {
    if ((value === undefined && isRequired !== true && name !== "") || holds(value)) continue;
    throw badStore(expected, value, at + name);
  }
  for (const [index, scheme] of (schemes as readonly unknown[]).entries()) {
    if (typeof scheme === "string" && schemeOf(scheme) === scheme) continue;
    throw badStore(
      'a scheme of at least two characters, in lower case and with its colon, such as "s3:"',
      scheme,
      `${at}.schemes[${index}]`,
    );
  }
}

function hasModule(worker: unknown): boolean {
  return typeof membersOf(worker)["module"] === "string";
}

function badStore(expected: string, found: unknown, at: string): ArgumentError {
  return invalidArgument("stores", expected, found, { at, reason: "store-type" });
}
