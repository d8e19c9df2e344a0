import { ScalarType } from "@bufbuild/protobuf";
import { ArgumentError } from "@tfxio/wire";
import type { MapKey } from "../kernels/typescript/keyed-values.js";

const INTEGER = /^-?\d+$/u;
/** The accepted spellings of bool keys. */
const BOOLS: ReadonlyMap<string, bigint> = new Map([
  ["0", 0n],
  ["1", 1n],
  ["false", 0n],
  ["true", 1n],
]);

/**
 * Parses the key between brackets in a path. Integers must be decimal and in the range of the key type. Bools are `0`, `1`,
 * `false` or `true`. Strings are taken literally, without quotes or escapes.
 * @param column path of the column, for error messages.
 * @throws {ArgumentError} `invalid-argument` (`map-key`).
 */
export function parseMapKey(text: string, scalar: ScalarType, column: string): MapKey {
  if (scalar === ScalarType.STRING) return { bytes: new TextEncoder().encode(text) };
  const value = scalar === ScalarType.BOOL ? BOOLS.get(text) : integerOf(text, scalar);
  if (value !== undefined) {
    return {
      value,
      low: Number(BigInt.asIntN(32, value)),
      high: is64Bit(scalar) ? Number(BigInt.asIntN(32, value >> 32n)) : 0,
    };
  }
  throw new ArgumentError(
    "invalid-argument",
    `The map key in the column "${column}" must be of type ${nameOf(scalar)}, found "${text}".`,
    { reason: "map-key", argument: "columns" },
  );
}

/** Returns the integer in the text, or undefined if the text is not an integer in the range of the type. */
function integerOf(text: string, scalar: ScalarType): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = BigInt(text);
  const bits = is64Bit(scalar) ? 64 : 32;
  const fits = isUnsigned(scalar) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  return fits === value ? value : undefined;
}

function is64Bit(scalar: ScalarType): boolean {
  switch (scalar) {
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return true;
    default:
      return false;
  }
}

function isUnsigned(scalar: ScalarType): boolean {
  switch (scalar) {
    case ScalarType.UINT32:
    case ScalarType.UINT64:
    case ScalarType.FIXED32:
    case ScalarType.FIXED64:
      return true;
    default:
      return false;
  }
}

function nameOf(scalar: ScalarType): string {
  return (ScalarType[scalar] ?? "key").toLowerCase();
}
