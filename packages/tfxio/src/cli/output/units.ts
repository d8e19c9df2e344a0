/** Decimal units: each is 1000 times the one before. */
const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** Formats a number of bytes with a decimal unit, such as `1.5 MB`. Numbers below 100 have one decimal place, except in `B`. */
export function bytesText(numBytes: number): string {
  let [value, unit] = [numBytes, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Formats a count with thousands separators, such as `1,234,567`. The user's locale has no effect. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a count with its noun: `1 row`, `2 rows`. Only for nouns whose plural ends in -s. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
