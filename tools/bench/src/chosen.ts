import { ArgumentError } from "@tfxio/wire";

/** Returns the `items` whose name is in `names`, or all items if `names` is undefined. */
export function chosen<T extends { readonly name: string }>(
  items: readonly T[],
  names: readonly string[] | undefined,
): readonly T[] {
  return names === undefined ? items : items.filter(({ name }) => names.includes(name));
}

/**
 * Checks that every one of `names` is among `known`. The check passes if `names` is undefined.
 * @param argument Name of the option that contains the names, for the error message.
 * @throws {ArgumentError} `invalid-argument` for an unknown name.
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
