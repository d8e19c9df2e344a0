import { ProtoWriter, type Random, WireType } from "@tfxio/wire";
import { anyContent, type FieldShape, type MessageShape, pick, type ScalarType } from "./random-type.js";

/** Map keys in the notation of paths. There are only a few, so that records share them. */
const mapKeys = {
  string: ["", "red", "blue"],
  bool: ["0", "1"],
  others: ["0", "1", "7"],
} as const;

/**
 * Returns a serialized message with fields in random order. Repeated numbers are packed or unpacked, some fields occur twice, and
 * some fields are not in the message type.
 */
export function randomRecord(random: Random, shape: MessageShape): Uint8Array {
  const writer = new ProtoWriter();
  writeMessage(writer, random, shape);
  return writer.finish();
}

function writeMessage(writer: ProtoWriter, random: Random, { fields }: MessageShape): void {
  for (const field of shuffled(random, fields)) {
    if (random.below(4) > 0) writeField(writer, random, field);
    if (random.below(12) === 0) writer.tag(500, WireType.varint).varint32(random.below(1000));
  }
}

function writeField(writer: ProtoWriter, random: Random, field: FieldShape): void {
  const { number, type, isRepeated } = field;
  if (typeof type === "object") {
    if (type.kind === "mapEntry") return writeMap(writer, random, number, type);
    const count = isRepeated ? 1 + random.below(3) : 1;
    for (let index = 0; index < count; index++) {
      const mark = writer.tag(number, WireType.lengthDelimited).beginMessage();
      if (type.kind === "any") writeAny(writer, random);
      else writeMessage(writer, random, type);
      writer.endMessage(mark);
    }
    return;
  }
  // A singular field sometimes occurs twice. Parsers must then use the last value.
  const count = isRepeated ? 1 + random.below(4) : 1 + Number(random.below(10) === 0);
  const isPacked = isRepeated && wireTypeOf(type) !== WireType.lengthDelimited && random.below(2) === 0;
  if (isPacked) {
    const mark = writer.tag(number, WireType.lengthDelimited).beginMessage();
    for (let index = 0; index < count; index++) writeValue(writer, random, type);
    writer.endMessage(mark);
    return;
  }
  for (let index = 0; index < count; index++) {
    writer.tag(number, wireTypeOf(type));
    writeValue(writer, random, type);
  }
}

/** Writes a map. Each key occurs at most once and always has a value, because parsers disagree about other entries. */
function writeMap(writer: ProtoWriter, random: Random, number: number, { fields }: MessageShape): void {
  const [key, value] = fields as readonly [FieldShape, FieldShape];
  for (const text of shuffled(random, keysOf(key.type as ScalarType)).slice(random.below(3))) {
    const mark = writer.tag(number, WireType.lengthDelimited).beginMessage();
    writer.tag(1, wireTypeOf(key.type as ScalarType));
    if (key.type === "string") writer.string(text);
    else writer.varint32(Number(text));
    if (typeof value.type === "string") {
      writer.tag(2, wireTypeOf(value.type));
      writeValue(writer, random, value.type);
    } else {
      const inner = writer.tag(2, WireType.lengthDelimited).beginMessage();
      writeMessage(writer, random, value.type);
      writer.endMessage(inner);
    }
    writer.endMessage(mark);
  }
}

/** Writes an Any, always with a value. Without a value, some parsers return a missing message, and others an empty message. */
function writeAny(writer: ProtoWriter, random: Random): void {
  const name = pick(random, ["fuzz.Held", "fuzz.Held", "fuzz.Other"]);
  writer.tag(1, WireType.lengthDelimited).string(`type.googleapis.com/${name}`);
  const mark = writer.tag(2, WireType.lengthDelimited).beginMessage();
  for (const field of anyContent.fields) writeField(writer, random, field);
  writer.endMessage(mark);
}

/** Returns the map keys to choose from, for a key type. */
export function keysOf(type: ScalarType): readonly string[] {
  return type === "string" || type === "bool" ? mapKeys[type] : mapKeys.others;
}

function wireTypeOf(type: ScalarType): WireType {
  if (type === "string" || type === "bytes") return WireType.lengthDelimited;
  if (type === "double" || type.endsWith("fixed64")) return WireType.fixed64;
  return type === "float" || type.endsWith("fixed32") ? WireType.fixed32 : WireType.varint;
}

const SPECIAL_NUMBERS = [
  0,
  -0,
  0.5,
  -1.25,
  3,
  1e30,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const SPECIAL_INTEGERS = [0n, 1n, -1n, 5n, 200n, 2n ** 31n - 1n, -(2n ** 31n), 2n ** 63n - 1n, -(2n ** 63n)];
const TEXTS = ["", "x", "Ab", "long word", "\u00e9\u{1f600}"];

function writeValue(writer: ProtoWriter, random: Random, type: ScalarType): void {
  if (type === "double") return void writer.double(pick(random, SPECIAL_NUMBERS));
  if (type === "float") return void writer.float(pick(random, SPECIAL_NUMBERS));
  if (type === "string") return void writer.lengthDelimited(new TextEncoder().encode(pick(random, TEXTS)));
  if (type === "bytes") {
    const bytes = Uint8Array.from({ length: random.below(4) }, () => random.below(256));
    return void writer.lengthDelimited(bytes);
  }
  if (type === "bool") return void writer.varint32(random.below(2));
  if (type === "enum") return void writer.int64(BigInt(pick(random, [0, 1, -2, 77])));
  const integer = pick(random, SPECIAL_INTEGERS);
  if (type === "sint32") return void writer.int64(BigInt.asUintN(32, zigzag(BigInt.asIntN(32, integer))));
  if (type === "sint64") return void writer.int64(BigInt.asIntN(64, zigzag(integer)));
  if (type.endsWith("fixed64")) return void writer.fixed64(integer);
  if (type.endsWith("fixed32")) return void writer.fixed32(Number(BigInt.asIntN(32, integer)));
  if (type === "uint32") return void writer.int64(BigInt.asUintN(32, integer));
  writer.int64(type === "int32" ? BigInt.asIntN(32, integer) : integer);
}

/** Encodes a signed integer in protobuf's ZigZag form. */
function zigzag(value: bigint): bigint {
  return (value << 1n) ^ (value >> 63n);
}

/** Returns the items in random order. */
function shuffled<T>(random: Random, items: readonly T[]): readonly T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
