const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** A number of bytes with a decimal unit: `1.5 MB`. */
export function bytesText(numBytes: number): string {
  let [value, unit] = [numBytes, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** A count with thousands separators: `1,234,567`. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
