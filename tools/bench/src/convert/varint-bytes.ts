/** Returns the number of bytes of an int64 as a varint: one byte for every seven significant bits, rounded up, at least one. */
export function varintBytes(value: bigint): number {
  return Math.max(1, Math.ceil(BigInt.asUintN(64, value).toString(2).replace(/^0$/, "").length / 7));
}
