// Python's `int()` and `float()`, which tfx_bsl's csv_decoder.py uses to infer types, restricted to ASCII text.

const INT64_MIN: bigint = -(2n ** 63n);
const INT64_MAX: bigint = 2n ** 63n - 1n;

/** White space that Python allows around numbers: C's `isspace`. */
const SPACES = "[ \\t\\n\\v\\f\\r]*";
const DIGITS = "[0-9]+(?:_[0-9]+)*";
const INT = new RegExp(`^${SPACES}([+-]?${DIGITS})${SPACES}$`);
const FLOAT = new RegExp(
  `^${SPACES}([+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?)${SPACES}$`,
);
const SPECIAL = new RegExp(`^${SPACES}([+-]?)(?:(inf(?:inity)?)|nan)${SPACES}$`, "i");

const latin1 = new TextDecoder("latin1");

/** Types of a cell: 0 nothing, 1 INT, 2 FLOAT, 3 STRING. A column has the greatest type of its cells. */
export type InferredType = 0 | 1 | 2 | 3;

/**
 * Returns the type of a non-null cell. An integer outside int64 is a string, even in a column of floats.
 * @see tfx_bsl `csv_decoder.ColumnTypeInferrer`
 */
export function typeOfCell(bytes: Uint8Array): InferredType {
  if (!mayBeNumber(bytes)) return 3;
  const plain = plainType(bytes);
  if (plain !== 0) return plain;
  const text = latin1.decode(bytes);
  if (INT.test(text)) return intOf(text) === undefined ? 3 : 1;
  return FLOAT.test(text) || SPECIAL.test(text) ? 2 : 3;
}

/**
 * Returns the type of a cell that consists of digits, an optional sign and an optional point. Returns 0 for any other cell, and
 * for an integer with so many digits that it may not fit int64.
 */
function plainType(bytes: Uint8Array): InferredType {
  const hasSign = bytes[0] === 0x2d || bytes[0] === 0x2b;
  let numPoints = 0;
  for (let at = hasSign ? 1 : 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x2e) numPoints++;
    else if (byte < 0x30 || byte > 0x39) return 0;
  }
  const numDigits = bytes.length - numPoints - (hasSign ? 1 : 0);
  if (numDigits === 0 || numPoints > 1) return 0;
  if (numPoints === 1) return 2;
  return numDigits <= 18 ? 1 : 0;
}

/** Returns the integer that the bytes represent; undefined if they are not an integer within int64. */
export function int64OfCell(bytes: Uint8Array): bigint | undefined {
  return mayBeNumber(bytes) ? intOf(latin1.decode(bytes)) : undefined;
}

/** Returns the float64 nearest to the number that the bytes represent; undefined if they are not a number. */
export function floatOfCell(bytes: Uint8Array): number | undefined {
  if (!mayBeNumber(bytes)) return undefined;
  const text = latin1.decode(bytes);
  const number = FLOAT.exec(text)?.[1];
  if (number !== undefined) return Number(number.replaceAll("_", ""));
  const special = SPECIAL.exec(text);
  if (special === null) return undefined;
  if (special[2] === undefined) return Number.NaN;
  return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function intOf(text: string): bigint | undefined {
  const digits = INT.exec(text)?.[1]?.replaceAll("_", "");
  // Apart from leading zeros, int64 has at most 19 digits, so longer numbers are rejected without conversion.
  if (digits === undefined || digits.replace(/^[+-]?0*/, "").length > 19) return undefined;
  const value = BigInt(digits.replace("+", ""));
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

/**
 * Tests a cell quickly by its last byte. Numbers end in a digit, a point, white space, or the last letter of `inf`, `nan` or
 * `infinity`; most text does not.
 */
function mayBeNumber(bytes: Uint8Array): boolean {
  const last = bytes[bytes.length - 1];
  if (last === undefined) return false;
  if (last >= 0x30 && last <= 0x39) return true;
  return (
    last === 0x2e ||
    last === 0x20 ||
    (last >= 0x09 && last <= 0x0d) ||
    "fFnNyY".includes(String.fromCharCode(last))
  );
}
