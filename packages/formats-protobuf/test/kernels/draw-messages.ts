import { ProtoWriter, type Random, WireType } from "@tfxio/wire";
import type { DrawnField, DrawnType, DrawnValue } from "./draw-type.js";

const FIXED_4: ReadonlySet<DrawnValue> = new Set(["fixed32", "sfixed32", "float"] as const);
const FIXED_8: ReadonlySet<DrawnValue> = new Set(["fixed64", "double"] as const);
const TEXTS = [0, 1, 5, 15, 16, 17, 31, 32, 33, 300];

/** Draws a message of a type. Fields occur in any order, and may be repeated, packed or unknown, or have a wrong wire type. */
export function drawMessage(type: DrawnType, random: Random): Uint8Array {
  const writer = new ProtoWriter();
  writeFields(writer, type, 0, random, 8);
  return writer.finish();
}

function writeFields(
  writer: ProtoWriter,
  type: DrawnType,
  message: number,
  random: Random,
  size: number,
): void {
  const fields = type.messages[message]!;
  for (let left = random.below(size); left > 0; left--) {
    const field = fields[random.below(fields.length + 1)];
    const kind = random.below(24);
    if (field === undefined || kind === 0) {
      const number = random.below(3) === 0 ? 1 + random.below(40) : (field?.number ?? 7000);
      writeAny(writer, number, random);
    } else writeField(writer, type, field, random, size);
  }
}

function writeField(
  writer: ProtoWriter,
  type: DrawnType,
  field: DrawnField,
  random: Random,
  size: number,
): void {
  const { number, value } = field;
  if (typeof value === "object") {
    if (value.isGroup) {
      writer.tag(number, WireType.startGroup);
      writeFields(writer, type, value.message, random, Math.max(1, size - 2));
      writer.tag(number, WireType.endGroup);
    } else {
      const mark = writer.tag(number, WireType.lengthDelimited).beginMessage();
      writeFields(writer, type, value.message, random, Math.max(1, size - 2));
      writer.endMessage(mark);
    }
  } else if (value === "string" || value === "bytes") {
    const length = TEXTS[random.below(TEXTS.length)]!;
    const isText = value === "string";
    const text = Uint8Array.from({ length }, () => (isText ? 97 + random.below(26) : random.below(256)));
    writer.tag(number, WireType.lengthDelimited).lengthDelimited(text);
  } else if (random.below(3) === 0) {
    const mark = writer.tag(number, WireType.lengthDelimited).beginMessage();
    const isLong = random.below(8) === 0;
    const isShort = random.below(2) === 0;
    for (let left = random.below(isLong ? 90 : 4); left > 0; left--)
      writeScalar(writer, value, random, isShort);
    writer.endMessage(mark);
  } else {
    const fixed = FIXED_4.has(value) ? WireType.fixed32 : WireType.fixed64;
    writer.tag(number, FIXED_4.has(value) || FIXED_8.has(value) ? fixed : WireType.varint);
    writeScalar(writer, value, random, random.below(2) === 0);
  }
}

function writeScalar(writer: ProtoWriter, value: DrawnValue, random: Random, isShort: boolean): void {
  if (FIXED_4.has(value)) writer.fixed32(random.next());
  else if (FIXED_8.has(value)) writer.fixed64(BigInt.asUintN(64, wide(random)));
  else if (isShort) writer.varint32(random.below(128));
  else writer.raw(varint(BigInt.asUintN(64, wide(random) >> BigInt(random.below(64))), random));
}

function wide(random: Random): bigint {
  return (BigInt(random.next()) << 32n) | BigInt(random.next());
}

/** Encodes a varint, sometimes with redundant bytes. Its total length is at most eleven bytes, one more than is valid. */
function varint(value: bigint, random: Random): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0n || bytes.length === 0; rest >>= 7n)
    bytes.push(Number(rest & 0x7fn) | 0x80);
  if (random.below(20) === 0) {
    const length = bytes.length + random.below(12 - bytes.length);
    while (bytes.length < length) bytes.push(0x80);
  }
  bytes[bytes.length - 1]! &= 0x7f;
  return Uint8Array.from(bytes);
}

/** Writes a field with a random wire type. */
function writeAny(writer: ProtoWriter, number: number, random: Random): void {
  switch (random.below(5)) {
    case 0:
      writer.tag(number, WireType.varint).raw(varint(wide(random) & 0xffffn, random));
      break;
    case 1:
      writer.tag(number, WireType.fixed32).fixed32(7);
      break;
    case 2:
      writer.tag(number, WireType.fixed64).fixed64(7n);
      break;
    case 3:
      writer.tag(number, WireType.lengthDelimited).lengthDelimited(new Uint8Array(random.below(20)));
      break;
    default:
      writer.tag(number, WireType.startGroup);
      if (random.below(2) === 0) writeAny(writer, 1 + random.below(20), random);
      writer.tag(number, WireType.endGroup);
  }
}

/** Returns a damaged copy: truncated, or with bytes changed, removed or inserted. */
export function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = random.below(bytes.length + 1);
  const insert = (...inserted: number[]): Uint8Array =>
    Uint8Array.from([...copy.subarray(0, at), ...inserted, ...copy.subarray(at)]);
  switch (random.below(9)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      copy[at] = random.below(256);
      return copy;
    case 2:
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
      return copy;
    case 3:
      return Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(at + 1 + random.below(4))]);
    case 4:
      return insert(0xff, 0xff, 0xff, 0x7f);
    case 5:
      // A tag of five bytes, with up to 33 bits.
      return insert(0x80, 0x80, 0x80, 0x80, random.below(32), 0);
    case 6:
      // A varint of nine to eleven bytes. A valid one has at most ten.
      return insert(0x08, ...new Uint8Array(8 + random.below(3)).fill(0xff), random.below(128));
    case 7:
      return insert(...new Uint8Array(90 + random.below(20)).fill(0x0b));
    default:
      return insert((1 + random.below(15)) * 8 + random.below(8));
  }
}
