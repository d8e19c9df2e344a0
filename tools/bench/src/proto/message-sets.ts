import { ProtoWriter, WireType } from "@tfxio/wire";
import { Random } from "../sets/random.js";

/** A set of messages of one type. */
export interface MessageSet {
  readonly name: string;
  /** Text of a `.proto` file that declares the type. */
  readonly proto: string;
  /** Full name of the type. */
  readonly message: string;
  /** Generates the next serialized message. */
  record(random: Random): Uint8Array;
}

const kinds = [
  { name: "int_values", type: "int64" },
  { name: "float_values", type: "float" },
  { name: "bytes_values", type: "bytes" },
] as const;
const PER_KIND = 5;

/** Messages of fifteen repeated fields with one value each, as in struct2tensor's own benchmark. Numbers are packed. */
export const flatAllTypes: MessageSet = {
  name: "flat_all_types",
  proto: `syntax = "proto3"; package bench; message Flat { ${kinds
    .flatMap(({ name, type }, group) =>
      Array.from({ length: PER_KIND }, (_, index) => {
        return `repeated ${type} ${name}_${index + 1} = ${group * PER_KIND + index + 1};`;
      }),
    )
    .join(" ")} }`,
  message: "bench.Flat",
  record(random) {
    const writer = new ProtoWriter();
    for (let number = 1; number <= 3 * PER_KIND; number++) {
      const mark = writer.tag(number, WireType.lengthDelimited).beginMessage();
      if (number <= PER_KIND) writer.varint32(random.uint32());
      else if (number <= 2 * PER_KIND) writer.float(random.unit());
      else writer.raw(letters(random, 5));
      writer.endMessage(mark);
    }
    return writer.finish();
  },
};

/**
 * Documents with messages that are nested five levels deep. Every level below the root is repeated, as in click logs and ranking
 * lists.
 */
const nested: MessageSet = {
  name: "nested",
  proto: `syntax = "proto2"; package bench;
    message Token { optional string text = 1; optional float weight = 2; repeated int32 id = 3 [packed = true]; }
    message Phrase { optional int64 start = 1; repeated Token token = 2; }
    message Sentence { optional string label = 1; repeated Phrase phrase = 2; }
    message Section { optional double score = 1; repeated Sentence sentence = 2; }
    message Document { optional int64 key = 1; optional string url = 2; repeated Section section = 3; }`,
  message: "bench.Document",
  record(random) {
    const writer = new ProtoWriter();
    writer.tag(1, WireType.varint).varint32(random.uint32());
    writer.tag(2, WireType.lengthDelimited).lengthDelimited(letters(random, 20));
    repeat(writer, 3, 1 + random.below(3), () => {
      writer.tag(1, WireType.fixed64).double(random.unit());
      repeat(writer, 2, random.below(3), () => {
        writer.tag(1, WireType.lengthDelimited).lengthDelimited(letters(random, 8));
        repeat(writer, 2, 1 + random.below(2), () => {
          writer.tag(1, WireType.varint).varint32(random.below(5000));
          repeat(writer, 2, random.below(5), () => writeToken(writer, random));
        });
      });
    });
    return writer.finish();
  },
};

/** The sets of the bench. */
export const messageSets: readonly MessageSet[] = [flatAllTypes, nested];

/** Writes a length-delimited field `count` times. Each call of `write` must write the content of one field. */
export function repeat(writer: ProtoWriter, number: number, count: number, write: () => void): void {
  for (let index = 0; index < count; index++) {
    const mark = writer.tag(number, WireType.lengthDelimited).beginMessage();
    write();
    writer.endMessage(mark);
  }
}

function writeToken(writer: ProtoWriter, random: Random): void {
  writer.tag(1, WireType.lengthDelimited).lengthDelimited(letters(random, 1 + random.below(9)));
  if (random.below(4) > 0) writer.tag(2, WireType.fixed32).float(random.unit());
  const mark = writer.tag(3, WireType.lengthDelimited).beginMessage();
  for (let left = 1 + random.below(3); left > 0; left--) writer.varint32(random.below(30_000));
  writer.endMessage(mark);
}

/** Returns `length` random lower-case ASCII letters. */
export function letters(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => 97 + random.below(26));
}
