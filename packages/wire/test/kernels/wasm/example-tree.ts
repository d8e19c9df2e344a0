import type { Draw } from "./draw.js";
import { field, unknownField, varint, type WireField } from "./wire-tree.js";

const utf8 = new TextEncoder();
/**
 * Names with lengths near the sizes of machine words and SIMD vectors. Some begin or end with the same characters, and others
 * have nothing in common.
 */
export const NAMES: readonly string[] = [
  "",
  "a",
  "bc",
  "def",
  "feat_01",
  "feat_02",
  "eight_08",
  "feature_of_15.b",
  "feature_of_16_by",
  "feature_of_17_byt",
  "feature_of_32_bytes_which_is_two",
  "feature_of_33_bytes_which_is_more",
  "feature_of_33_bytes_WHICH_is_more",
  "é",
  "日本",
  "𝄞",
  "\u{ffee}",
  `${"long".repeat(31)}127`,
  "long".repeat(32),
  "long".repeat(50),
];
const SIZES = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 130, 260];
const INT64S = [
  0n,
  1n,
  127n,
  128n,
  16383n,
  16384n,
  2n ** 31n,
  2n ** 35n,
  2n ** 49n - 1n,
  2n ** 56n,
  -1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

/**
 * Invalid UTF-8: a lone continuation byte, overlong forms, a surrogate, a code point above U+10FFFF, a cut-off sequence, and
 * 0xff.
 */
const NOT_UTF8 = [
  [0x80],
  [0xc1, 0x80],
  [0xe0, 0x9f, 0xbf],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0xff],
];

export type Kind = 1 | 2 | 3;
export const KINDS: readonly Kind[] = [1, 2, 3];

/**
 * Returns the usual kind of a feature's values. A few records use a different kind. All names that are not in {@link NAMES} have
 * the same kind.
 */
export function kindOf(name: string): Kind {
  return (((NAMES.indexOf(name) + 3) % 3) + 1) as Kind;
}

/**
 * Returns a record in which few values are missing. In a batch of such records, the first null of a column often comes late, and
 * the decoder does not begin the column's validity bitmap before that null.
 */
export function steadyExample(draw: Draw): WireField[] {
  return [
    field(
      1,
      steadyMap(draw, (name) => [steadyList(draw, kindOf(name))]),
    ),
  ];
}

/** Returns entries that nearly always have the same few names. */
export function steadyMap(draw: Draw, valueTree: (name: string) => WireField[]): WireField[] {
  const names = NAMES.slice(2, 8).filter(() => !draw.oneIn(30));
  return names.map((name) => field(1, [field(1, [...utf8.encode(name)]), field(2, valueTree(name))]));
}

/** Returns a list of one value. */
export function steadyList(draw: Draw, kind: Kind): WireField {
  const value = kind === 1 ? draw.bytes(9) : kind === 2 ? draw.bytes(4) : varint(draw.below(1e6));
  return field(kind, [field(1, value)]);
}

/**
 * Returns a record as serializers write it or, with `isWild`, in any form that protobuf allows. A few names or values are
 * malformed.
 */
export function exampleTree(draw: Draw, isWild: boolean): WireField[] {
  return mapTrees(draw, isWild, 1, (name) => {
    const kind = draw.oneIn(isWild ? 12 : 60) ? draw.pick(KINDS) : kindOf(name);
    return (isOther) => featureTree(draw, isWild, isOther ? draw.pick(KINDS) : kind);
  });
}

/** Returns the content of an entry's value. `isOther` allows a second value of the entry to differ in kind from the first. */
export type ValueTree = (isOther: boolean) => WireField[];

/**
 * Returns a map as a field with the field number `number`. With `isWild`, the map is sometimes split into two such fields, with
 * an unknown field between them.
 */
export function mapTrees(
  draw: Draw,
  isWild: boolean,
  number: number,
  valueTreeOf: (name: string) => ValueTree,
): WireField[] {
  const names = NAMES.filter(() => draw.oneIn(4));
  if (draw.oneIn(60)) for (let n = draw.below(400); n > 0; n--) names.push(`generated_${draw.below(1000)}`);
  if (isWild && draw.oneIn(2)) names.push(draw.pick(NAMES), draw.pick(NAMES));
  if (isWild && draw.oneIn(3)) names.reverse();
  const entries = names.map((name) => field(1, entryTree(draw, isWild, name, valueTreeOf(name))));
  if (isWild && draw.oneIn(6)) entries.splice(draw.below(entries.length + 1), 0, unknownField(draw));
  if (isWild && draw.oneIn(6)) {
    const cut = draw.below(entries.length + 1);
    return [field(number, entries.slice(0, cut)), unknownField(draw), field(number, entries.slice(cut))];
  }
  return [field(number, entries)];
}

function entryTree(draw: Draw, isWild: boolean, name: string, valueTree: ValueTree): WireField[] {
  const key = [...utf8.encode(name)];
  if (draw.oneIn(150)) key.splice(draw.below(key.length + 1), 0, ...draw.pick(NOT_UTF8));
  const parts = [field(1, key), field(2, valueTree(false))];
  if (!isWild) return parts;
  if (draw.oneIn(6)) parts.push(field(2, valueTree(draw.oneIn(3))));
  if (draw.oneIn(10)) parts.unshift(field(1, [...utf8.encode(draw.pick(NAMES))]));
  if (draw.oneIn(10)) parts.splice(draw.below(parts.length), 1);
  if (draw.oneIn(5)) parts.reverse();
  if (draw.oneIn(8)) parts.splice(draw.below(parts.length + 1), 0, unknownField(draw));
  return parts;
}

export function featureTree(draw: Draw, isWild: boolean, kind: Kind): WireField[] {
  if (draw.oneIn(8)) return isWild && draw.oneIn(2) ? [unknownField(draw)] : [];
  const lists = [field(kind, listTree(draw, isWild, kind))];
  if (!isWild) return lists;
  if (draw.oneIn(5)) lists.push(field(kind, listTree(draw, isWild, kind)));
  if (draw.oneIn(8)) lists.unshift(field((kind % 3) + 1, listTree(draw, isWild, ((kind % 3) + 1) as Kind)));
  if (draw.oneIn(8)) lists.splice(draw.below(lists.length + 1), 0, unknownField(draw));
  return lists;
}

function listTree(draw: Draw, isWild: boolean, kind: Kind): WireField[] {
  const length = draw.oneIn(500) ? draw.below(3000) : draw.pick([0, 1, 1, 1, 1, 2, 3, draw.below(40)]);
  if (kind === 1) {
    const isLong = draw.oneIn(2000);
    const values = Array.from({ length: Math.min(length, 40) }, () =>
      field(
        1,
        draw.bytes(isLong ? draw.below(20_000) : draw.pick(draw.oneIn(3) ? SIZES : SIZES.slice(0, 6))),
      ),
    );
    if (isWild && draw.oneIn(8)) values.splice(draw.below(values.length + 1), 0, unknownField(draw));
    return values;
  }
  const value = (): number[] => (kind === 2 ? draw.bytes(4) : intBytes(draw, isWild));
  if (isWild && draw.oneIn(3)) {
    const fields: WireField[] = [];
    for (let n = Math.min(length, 50); n > 0; n--) fields.push(field(1, value(), kind === 2 ? 5 : 0));
    if (draw.oneIn(2)) fields.push(field(1, packed(length, value)));
    return fields;
  }
  if (isWild && draw.oneIn(4))
    return [field(1, packed(length, value)), field(1, packed(draw.below(4), value))];
  if (length === 0 && draw.oneIn(2)) return [];
  const values = packed(length, value);
  // Incomplete floats, or an incomplete last varint.
  if (draw.oneIn(100)) values.length -= Math.min(values.length, 1 + draw.below(3));
  return [field(1, values)];
}

function packed(length: number, value: () => number[]): number[] {
  const bytes: number[] = [];
  for (let n = length; n > 0; n--) for (const byte of value()) bytes.push(byte);
  return bytes;
}

function intBytes(draw: Draw, isWild: boolean): number[] {
  if (draw.oneIn(3)) return [draw.below(128)];
  // Varints of up to ten bytes are valid. Longer ones are not.
  if (isWild && draw.oneIn(40)) return varint(draw.pick(INT64S), draw.below(11));
  if (draw.oneIn(500)) return varint(draw.below(128), 8 + draw.below(3));
  return varint(draw.oneIn(3) ? draw.pick(INT64S) : draw.below(2 ** (1 + draw.below(30))));
}
