import type { Random } from "../../seeded.js";
import { type Bytes, delimited, fixed32, overlongVarint, tag, utf8, varint } from "./wire-bytes.js";

/** A member of a Feature's oneof: 0 for bytes, 1 for floats, 2 for integers. */
export type Kind = 0 | 1 | 2;

/** Settings of the generators of records. */
export interface Hostility {
  readonly below: Random;
  /** True to allow damaged bytes, unknown fields, repeated members, and map entries with missing, repeated or swapped parts. */
  readonly isOdd: boolean;
  /**
   * Integers to choose from. Feature lists use narrow integers, because tfx_bsl truncates the integers in feature lists to 32
   * bits.
   */
  readonly integers: readonly bigint[];
}

/** Integers that need up to 64 bits, for Examples and contexts. */
export const wideIntegers: readonly bigint[] = [
  0n,
  -1n,
  1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  2n ** 53n + 1n,
  2n ** 31n,
  2n ** 32n + 5n,
];
/** Integers that fit into 32 bits, for feature lists. */
export const narrowIntegers: readonly bigint[] = [0n, -1n, 1n, 2n ** 31n - 1n, -(2n ** 31n)];
/** Quiet and signalling NaNs, infinities, -0, the smallest positive number, and 1. */
const floatBits = [0x7fc00000, 0xffc00001, 0x7f800001, 0x7f800000, 0xff800000, 0x80000000, 1, 0x3f800000];
const strings: readonly Bytes[] = [[], [0], [0xff, 0], utf8("é"), utf8("long".repeat(50))];

/** Returns a random item of a list, which must not be empty. */
export function oneOf<Item>(below: Random, items: readonly Item[]): Item {
  return items[below(items.length)] as Item;
}

/** Returns true with a probability of `percent` %. */
export function chance(below: Random, percent: number): boolean {
  return below(100) < percent;
}

/** Returns an unknown field of any wire type. A group may contain another unknown field. */
export function unknownField({ below }: Hostility, depth = 0): Bytes {
  const field = oneOf(below, [4, 15, 16, 1000, 536_870_911]);
  switch (below(5)) {
    case 0:
      return [...tag(field, 0), ...varint(BigInt(below(1 << 30)))];
    case 1:
      return [...tag(field, 1), ...fixed32(below(1 << 30)), ...fixed32(7)];
    case 2:
      return delimited(
        field,
        Array.from({ length: below(5) }, () => 255),
      );
    case 3: {
      const inner = depth < 3 && chance(below, 50) ? unknownField({ below } as Hostility, depth + 1) : [];
      return [...tag(field, 3), ...inner, ...tag(field, 4)];
    }
    default:
      return [...tag(field, 5), ...fixed32(below(1 << 30))];
  }
}

/** Returns the content of a list message. Numbers are packed, unpacked, or both. Some varints are longer than necessary. */
function values({ below, integers }: Hostility, kind: Kind): Bytes {
  const count = oneOf(below, [0, 0, 1, 1, 1, 2, 3, 7, 40]);
  const list = (value: () => Bytes): Bytes[] => Array.from({ length: count }, value);
  if (kind === 0) return list(() => delimited(1, oneOf(below, strings))).flat();
  const encoded =
    kind === 1
      ? list(() => fixed32(oneOf(below, floatBits)))
      : list(() => (chance(below, 3) ? overlongVarint : varint)(oneOf(below, integers)));
  const unpacked = encoded.map((each) => [...tag(1, kind === 1 ? 5 : 0), ...each]);
  if (chance(below, 25)) return unpacked.flat();
  if (count > 1 && chance(below, 10)) {
    const cut = below(count);
    return [...delimited(1, encoded.slice(0, cut).flat()), ...unpacked.slice(cut).flat()];
  }
  return count > 0 || chance(below, 50) ? delimited(1, encoded.flat()) : [];
}

/** Returns a Feature with or without a kind. With `isOdd`, members of the oneof may occur repeatedly or replace each other. */
export function feature(how: Hostility, kind: Kind): Bytes {
  const { below, isOdd } = how;
  const odd = (percent: number): boolean => isOdd && chance(below, percent);
  const member = (which: number): Bytes => {
    const inner = [...values(how, which as Kind), ...(odd(5) ? unknownField(how) : [])];
    return delimited(which + 1, inner);
  };
  return [
    // A different member of the oneof comes first. Parsers must use the last member.
    ...(odd(3) ? member((kind + 1) % 3) : []),
    ...(chance(below, 8) ? [] : member(kind)),
    // The same member occurs again. Parsers must concatenate the lists.
    ...(odd(5) ? member(kind) : []),
    ...(odd(5) ? unknownField(how) : []),
    // A known field number has the wrong wire type.
    ...(odd(1) ? [...tag(kind + 1, 0), 5] : []),
  ];
}
