import { differenceOf } from "@tfxio-tools/conformance/difference";

/** Throws the first difference between two plain values. NaN equals NaN, 0 is not -0. */
export function assertSame(expected: unknown, actual: unknown): void {
  const difference = differenceOf(expected, actual);
  if (difference !== undefined) throw new Error(difference);
}
