/** A shape in words, `[2, ?]`: a question mark where any size fits, or for a shape of unknown rank. */
export function formatShape(shape: readonly (number | null)[] | null): string {
  return shape === null ? "?" : `[${shape.map((size) => size ?? "?").join(", ")}]`;
}
