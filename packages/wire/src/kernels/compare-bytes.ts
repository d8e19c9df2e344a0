/**
 * Compares names by the order of their UTF-8 bytes. Returns a number below, equal to or above 0, as `sort` expects. Comparing
 * JavaScript strings would order code points above U+FFFF differently.
 */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
