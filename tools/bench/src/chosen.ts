import { ArgumentError } from "@tfxio/wire";

/**
 * Those of `known` that are called `names`, or all of them.
 * @throws {ArgumentError} `invalid-argument` for a name that is not among `known`; `argument` is the option's name.
 */
export function chosen<T extends { readonly name: string }>(
  argument: string,
  known: readonly T[],
  names: readonly string[] | undefined,
): readonly T[] {
  const unknown = names?.find((name) => !known.some((candidate) => candidate.name === name));
  if (unknown === undefined)
    return names === undefined ? known : known.filter(({ name }) => names.includes(name));
  const list = known.map(({ name }) => name).join(", ");
  throw new ArgumentError("invalid-argument", `${argument}: found "${unknown}", expected one of ${list}`, {
    argument,
  });
}
