/** Maximum number of suggestions in an error message. */
const MAX_MATCHES = 3;

/**
 * Returns at most three of `names`, the most similar to `name` first. Leaves out names whose edit distance exceeds a third of the
 * longer name's length, rounded up.
 */
export function nearMatches(name: string, names: readonly string[]): readonly string[] {
  return names
    .map((candidate) => ({ candidate, edits: editDistance(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.ceil(Math.max(name.length, candidate.length) / 3))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MAX_MATCHES)
    .map(({ candidate }) => candidate);
}

/** Returns the Levenshtein distance: the least number of UTF-16 code units to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = row[j]! + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
