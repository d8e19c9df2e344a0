/** Returns a shape as text, such as `[2, ?]`. A question mark stands for any size, or for an unknown rank. */
export function formatShape(shape: readonly (number | null)[] | null): string {
  return shape === null ? "?" : `[${shape.map((size) => size ?? "?").join(", ")}]`;
}
