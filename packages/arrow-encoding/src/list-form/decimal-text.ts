import type { Data, Decimal } from "apache-arrow";
import { BytesColumn } from "../column/column-access-bytes.js";

/**
 * Formats decimals as text in plain digits, such as `-12.50`. The type's scale is the number of digits after the point.
 * @param isNull One byte per row, 1 for null. The text of a null decimal is empty.
 */
export function decimalTexts(data: Data, isNull?: Uint8Array): BytesColumn {
  const { scale } = data.type as Decimal;
  const words = data.values as Uint32Array;
  const encoder = new TextEncoder();
  const texts = Array.from({ length: data.length }, (_, row) => {
    if (isNull?.[row] === 1) return new Uint8Array(0);
    return encoder.encode(textOf(unscaled(words, row * data.stride, data.stride), scale));
  });
  return BytesColumn.from(texts);
}

/** Returns the two's complement value of `numWords` words, least significant word first. */
function unscaled(words: Uint32Array, first: number, numWords: number): bigint {
  let value = BigInt((words[first + numWords - 1] as number) | 0);
  for (let word = numWords - 2; word >= 0; word--)
    value = (value << 32n) | BigInt(words[first + word] as number);
  return value;
}

/** Inserts the decimal point if the scale is positive. A negative scale appends zeros. */
function textOf(value: bigint, scale: number): string {
  if (scale <= 0) return String(value * 10n ** BigInt(-scale));
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
