/** A shape in words, `[2, ?]`: with a question mark for any size, or for an unknown rank. */
export function formatShape(shape: readonly (number | null)[] | null): string {
  return shape === null ? "?" : `[${shape.map((size) => size ?? "?").join(", ")}]`;
}
