import { closest as nearest, distance } from "fastest-levenshtein";

/**
 * Returns the name most similar to `word`, regardless of case. Undefined if no name is similar. A similar name differs by at most
 * one edit for every three characters of `word`. One edit is always allowed.
 */
export function closest(word: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const name = nearest(
    word.toLowerCase(),
    names.map((each) => each.toLowerCase()),
  );
  const index = names.findIndex((each) => each.toLowerCase() === name);
  const isNear = distance(word.toLowerCase(), name) <= Math.max(1, Math.floor(word.length / 3));
  return isNear ? names[index] : undefined;
}
