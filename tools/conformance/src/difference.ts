/** Formats a value as JSON, cut off after 200 characters. Unlike plain JSON, it shows bigints, NaN, infinities and -0. */
function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "bigint") return `${item}n`;
    return typeof item === "number" && (!Number.isFinite(item) || Object.is(item, -0))
      ? Object.is(item, -0)
        ? "-0"
        : String(item)
      : item;
  });
  const whole = text ?? String(value);
  return whole.length > 200 ? `${whole.slice(0, 200)}…` : whole;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Describes the first difference between two plain values. Returns undefined if they are equal. NaN equals NaN, and 0 differs
 * from -0. The order of an object's members is ignored.
 * @param at Path of the values in the compared result, for the description.
 */
export function differenceOf(expected: unknown, actual: unknown, at = ""): string | undefined {
  if (Object.is(expected, actual)) return undefined;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) {
      return `${at || "value"}: expected ${expected.length} items ${show(expected)}, got ${actual.length} ${show(actual)}`;
    }
    for (const [index, item] of expected.entries()) {
      const difference = differenceOf(item, actual[index], `${at}[${index}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isRecord(expected) && isRecord(actual)) {
    const left = Object.keys(expected).sort();
    const right = Object.keys(actual).sort();
    if (left.join("\n") !== right.join("\n")) {
      return `${at || "value"}: expected the names ${show(left)}, got ${show(right)}`;
    }
    for (const key of left) {
      const difference = differenceOf(expected[key], actual[key], at === "" ? key : `${at}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return `${at || "value"}: expected ${show(expected)}, got ${show(actual)}`;
}
