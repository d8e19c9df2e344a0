import { differenceOf } from "@tfxio-tools/conformance/difference";

/** Throws an Error that describes the first difference between two plain values. NaN equals NaN; 0 and -0 differ. */
export function assertSame(expected: unknown, actual: unknown): void {
  const difference = differenceOf(expected, actual);
  if (difference !== undefined) throw new Error(difference);
}
