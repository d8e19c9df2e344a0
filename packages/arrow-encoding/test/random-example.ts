import { type Draw } from "./random.js";
import { field, floats, group, text, varint } from "./wire-bytes.js";

const INT64S = [
  0n,
  1n,
  -1n,
  127n,
  128n,
  2n ** 31n,
  -(2n ** 31n),
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];
const NAMES = [
  "a",
  "bc",
  "def",
  "name",
  "feature_1",
  "feature_2",
  "a_rather_long_name_of_a_feature",
  "",
  "é",
  "𝄞",
  "\uffee",
];
const KINDS = ["bytes", "float", "int64"] as const;
type Kind = (typeof KINDS)[number];

/** `usual` is the form that serializers write, `arbitrary` any form that parsers accept. */
export type WireForm = "usual" | "arbitrary";

/** Returns a well-formed serialized tf.Example. Each name has one kind unless `mixKinds` is set. */
export function randomExample(draw: Draw, form: WireForm, mixKinds = false): number[] {
  const isArbitrary = form === "arbitrary";
  return [...randomMaps(draw, isArbitrary, 1, mixKinds, randomFeature), ...noise(draw, isArbitrary)];
}

/** Returns a well-formed serialized tf.SequenceExample. Each name has one kind unless `mixKinds` is set. */
export function randomSequenceExample(draw: Draw, form: WireForm, mixKinds = false): number[] {
  const isArbitrary = form === "arbitrary";
  const context =
    isArbitrary && draw.oneIn(3) ? [] : randomMaps(draw, isArbitrary, 1, mixKinds, randomFeature);
  const lists = randomMaps(draw, isArbitrary, 2, mixKinds, (_, __, kind) =>
    randomSteps(draw, isArbitrary, kind, mixKinds),
  );
  const parts = isArbitrary && draw.oneIn(3) ? [lists, context] : [context, lists];
  return [...parts.flat(), ...noise(draw, isArbitrary)];
}

function randomSteps(draw: Draw, isArbitrary: boolean, kind: Kind, mixKinds: boolean): number[] {
  const length = draw.pick([0, 1, 2, draw.below(8)]);
  const steps = Array.from({ length }, () => [
    ...noise(draw, isArbitrary),
    ...field(1, randomFeature(draw, isArbitrary, mixKinds && draw.oneIn(4) ? draw.pick(KINDS) : kind)),
  ]);
  return [...steps.flat(), ...noise(draw, isArbitrary)];
}

type RandomValue = (draw: Draw, isArbitrary: boolean, kind: Kind) => number[];

/** Returns up to two fields with the number `number`. Each field contains a map. */
function randomMaps(
  draw: Draw,
  isArbitrary: boolean,
  number: number,
  mixKinds: boolean,
  randomValue: RandomValue,
): number[] {
  const bytes: number[] = [];
  const numMaps = isArbitrary ? draw.pick([0, 1, 1, 1, 2]) : 1;
  for (let i = 0; i < numMaps; i++) {
    const names = NAMES.filter(() => draw.oneIn(isArbitrary ? 4 : 3));
    if (isArbitrary && draw.oneIn(2)) names.push(draw.pick(NAMES));
    if (isArbitrary && draw.oneIn(2)) names.reverse();
    const entries = names.flatMap((name) => [
      ...noise(draw, isArbitrary),
      ...field(1, randomEntry(draw, isArbitrary, name, mixKinds, randomValue)),
    ]);
    bytes.push(...noise(draw, isArbitrary), ...field(number, [...entries, ...noise(draw, isArbitrary)]));
  }
  return bytes;
}

function randomEntry(
  draw: Draw,
  isArbitrary: boolean,
  name: string,
  mixKinds: boolean,
  randomValue: RandomValue,
): number[] {
  const kind = mixKinds ? draw.pick(KINDS) : KINDS[NAMES.indexOf(name) % 3]!;
  const key = field(1, text(name));
  const parts = [name === "" && draw.oneIn(2) ? [] : key, field(2, randomValue(draw, isArbitrary, kind))];
  if (isArbitrary) {
    if (draw.oneIn(6)) parts.push(field(2, randomValue(draw, isArbitrary, kind)));
    if (draw.oneIn(8)) parts.unshift(field(1, text(draw.pick(NAMES))));
    if (draw.oneIn(8)) parts.pop();
    if (draw.oneIn(4)) parts.reverse();
    // A different key may be last now. Only the last key counts, and the kind was chosen for `name`, so `name` is added again.
    if (!mixKinds) parts.push(name === "" ? field(1, []) : key);
    parts.splice(draw.below(parts.length), 0, noise(draw, isArbitrary));
  }
  return parts.flat();
}

function randomFeature(draw: Draw, isArbitrary: boolean, kind: Kind): number[] {
  if (draw.oneIn(8)) return noise(draw, isArbitrary);
  const lists = [randomList(draw, isArbitrary, kind)];
  if (isArbitrary) {
    if (draw.oneIn(4)) lists.unshift(randomList(draw, isArbitrary, draw.pick(KINDS)));
    if (draw.oneIn(4)) lists.push(randomList(draw, isArbitrary, kind));
    lists.splice(draw.below(lists.length + 1), 0, noise(draw, isArbitrary));
  }
  return lists.flat();
}

function randomList(draw: Draw, isArbitrary: boolean, kind: Kind): number[] {
  const number = KINDS.indexOf(kind) + 1;
  const length = draw.pick([0, 1, 1, 1, 2, 3, draw.below(12)]);
  const isPacked = !isArbitrary || !draw.oneIn(3);
  const values = Array.from({ length }, () => randomScalar(draw, isArbitrary, kind));
  if (kind === "bytes")
    return field(number, [...values.flatMap((v) => field(1, v)), ...noise(draw, isArbitrary)]);
  if (!isPacked) {
    const tag = kind === "float" ? 0x0d : 0x08;
    return field(number, [...values.flatMap((v) => [tag, ...v]), ...noise(draw, isArbitrary)]);
  }
  const cut = isArbitrary ? draw.below(length + 1) : length;
  const parts = [values.slice(0, cut), values.slice(cut)].filter(
    (part) => part.length > 0 || (isArbitrary && draw.oneIn(4)),
  );
  return field(number, [...parts.flatMap((part) => field(1, part.flat())), ...noise(draw, isArbitrary)]);
}

function randomScalar(draw: Draw, isArbitrary: boolean, kind: Kind): number[] {
  if (kind === "float") return draw.oneIn(4) ? draw.bytes(4) : floats(draw.below(1000) / 8);
  if (kind === "bytes") return draw.bytes(draw.pick([0, 1, 3, 8, 8, 8, 20, 64, 65, 130]));
  const value = draw.oneIn(2) ? draw.pick(INT64S) : BigInt(draw.below(300));
  const bytes = varint(value);
  return isArbitrary && draw.oneIn(5) ? varint(value, draw.below(11 - bytes.length)) : bytes;
}

/** Sometimes returns a field that the message type does not have. */
function noise(draw: Draw, isArbitrary: boolean): number[] {
  if (!isArbitrary || !draw.oneIn(6)) return [];
  const number = draw.pick([4, 15, 16, 2047, 2 ** 29 - 1]);
  switch (draw.below(5)) {
    case 0:
      return [...varint(number * 8), ...varint(draw.pick(INT64S))];
    case 1:
      return [...varint(number * 8 + 1), ...draw.bytes(8)];
    case 2:
      return field(number, draw.bytes(draw.below(5)));
    case 3:
      return group(number, group(1, field(7, draw.bytes(3))));
    default:
      return [...varint(number * 8 + 5), ...draw.bytes(4)];
  }
}
