/** Number of bytes of an int64 as a varint: one for every seven bits or part of them. */
export function varintBytes(value: bigint): number {
  return Math.max(1, Math.ceil(BigInt.asUintN(64, value).toString(2).replace(/^0$/, "").length / 7));
}
