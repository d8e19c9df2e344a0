import { ArgumentError } from "@tfxio/wire";

/** Those of `items` that are called `names`; all of them when `names` is absent. */
export function chosen<T extends { readonly name: string }>(
  items: readonly T[],
  names: readonly string[] | undefined,
): readonly T[] {
  return names === undefined ? items : items.filter(({ name }) => names.includes(name));
}

/**
 * @throws {ArgumentError} `invalid-argument` for a name in `names` that is not `known`; `argument` names the option
 * that contains it.
 */
export function assertKnown(
  argument: string,
  names: readonly string[] | undefined,
  known: readonly string[],
): void {
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const list = [...new Set(known)].join(", ");
  throw new ArgumentError("invalid-argument", `${argument}: found "${unknown}", expected one of ${list}`, {
    argument,
  });
}
