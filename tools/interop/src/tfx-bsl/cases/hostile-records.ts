import { seeded } from "../../seeded.js";
import {
  chance,
  feature,
  type Hostility,
  type Kind,
  narrowIntegers,
  oneOf,
  unknownField,
  wideIntegers,
} from "./hostile-features.js";
import { type Bytes, delimited, utf8 } from "./wire-bytes.js";

/** Records to decode into one batch. */
export interface HostileBatch {
  readonly records: readonly Uint8Array[];
  /** A schema in text format that describes some of the features. */
  readonly schema: string;
}

const names = [
  "a",
  "b",
  "c",
  "é",
  "日本",
  "😀",
  "",
  "a b",
  "__proto__",
  "constructor",
  "x".repeat(100),
  "d\n",
];
/** Names that are not UTF-8: invalid bytes, a truncated character, a surrogate, and a stray continuation byte. */
const brokenNames: readonly Bytes[] = [[0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80], [0x61, 0x80]];
const types = ["BYTES", "FLOAT", "INT"] as const;

/** The number of records in each batch of {@link hostileBatches}. */
export const recordsPerBatch = 5;

interface Named {
  readonly name: string | undefined;
  readonly bytes: Bytes;
  readonly kind: Kind;
}

/** Returns entries of a map from strings to messages. With `isOdd`, entries may repeat, and parts may be missing or swapped. */
function entries(how: Hostility, features: readonly Named[], value: (kind: Kind) => Bytes): Bytes[] {
  const { below, isOdd } = how;
  const odd = (percent: number): boolean => isOdd && chance(below, percent);
  const limit = below(Math.min(features.length, 8));
  const chosen = features.filter(() => chance(below, 50)).slice(0, limit);
  return chosen.flatMap(({ bytes, kind }) => {
    const key = delimited(1, bytes);
    const parts = [key, delimited(2, value(kind))];
    if (odd(4)) parts.reverse();
    // The value occurs twice. Parsers must merge the messages.
    if (odd(3)) parts.push(delimited(2, value(kind)));
    if (odd(3)) parts.push(unknownField(how));
    if (odd(2)) parts.splice(below(parts.length), 1);
    const entry = delimited(1, parts.flat());
    // The key occurs in two entries. Parsers must use the last entry.
    return odd(6) ? [entry, delimited(1, [...key, ...delimited(2, value(kind))])] : [entry];
  });
}

/** Returns a map in field `field`. With `isOdd`, it is sometimes split into two messages, which parsers must merge. */
function mapMessage(how: Hostility, field: number, all: readonly Bytes[]): Bytes {
  const { below, isOdd } = how;
  if (all.length === 0 && chance(below, 50)) return [];
  if (isOdd && all.length > 1 && chance(below, 6)) {
    const cut = below(all.length);
    return [...delimited(field, all.slice(0, cut).flat()), ...delimited(field, all.slice(cut).flat())];
  }
  return delimited(field, all.flat());
}

/** Returns the record. With `isOdd`, it is sometimes truncated, or one of its bytes is changed. */
function damaged({ below, isOdd }: Hostility, record: Bytes): Bytes {
  if (isOdd && chance(below, 2)) return record.slice(0, below(record.length + 1));
  if (!isOdd || record.length === 0 || !chance(below, 2)) return record;
  const at = below(record.length);
  return record.map((byte, index) => (index === at ? below(256) : byte));
}

function hostileRecord(
  how: Hostility,
  context: readonly Named[],
  lists: readonly Named[] | undefined,
): Uint8Array {
  const { below, isOdd } = how;
  const unknown = (): Bytes => (isOdd && chance(below, 5) ? unknownField(how) : []);
  const wide = { ...how, integers: wideIntegers };
  const parts = [
    unknown(),
    mapMessage(
      how,
      1,
      entries(wide, context, (kind) => feature(wide, kind)),
    ),
  ];
  if (lists !== undefined) {
    const steps = (kind: Kind): Bytes => {
      const count = oneOf(below, [0, 0, 1, 2, 6]);
      return Array.from({ length: count }, () => [...delimited(1, feature(how, kind)), ...unknown()]).flat();
    };
    parts.push(mapMessage(how, 2, entries(how, lists, steps)));
  }
  return Uint8Array.from(damaged(how, [...parts.flat(), ...unknown()]));
}

/** Creates batches of tf.Examples, or of tf.SequenceExamples. Equal seeds produce equal batches. */
export function hostileBatches(
  seed: number,
  count: number,
  form: "example" | "sequence",
): readonly HostileBatch[] {
  const below = seeded(seed);
  const batch = (): HostileBatch => {
    const how = { below, isOdd: chance(below, 75), integers: narrowIntegers };
    const named = (): Named[] => {
      const good = names.map((name) => ({ name, bytes: utf8(name), kind: below(3) as Kind }));
      const broken = brokenNames.map((bytes) => ({ name: undefined, bytes, kind: below(3) as Kind }));
      return chance(below, 8) ? [...good, ...broken] : good;
    };
    const context = named();
    const lists = form === "sequence" ? named() : undefined;
    // Returns the features with new kinds, for a record whose kinds differ from those of the other records.
    const other = (features: Named[]): Named[] =>
      features.map((each) => ({ ...each, kind: below(3) as Kind }));
    const records = Array.from({ length: recordsPerBatch }, () =>
      chance(below, 1)
        ? hostileRecord(how, other(context), lists && other(lists))
        : hostileRecord(how, context, lists),
    );
    const some = (features: readonly Named[]): string =>
      features
        .filter(({ name }) => name !== undefined && chance(below, 60))
        .map(({ name, kind }) => `feature { name: ${JSON.stringify(name)} type: ${types[kind]} }`)
        .join("\n");
    const sequence =
      lists && chance(below, 90)
        ? `feature { name: "##SEQUENCE##" type: STRUCT struct_domain { ${some(lists)} } }`
        : "";
    return { records, schema: `${some(context)}\n${sequence}` };
  };
  return Array.from({ length: count }, batch);
}
