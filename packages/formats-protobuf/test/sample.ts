import { type MessageType, parseProto } from "@tfxio/formats-protobuf";
import { ProtoWriter, WireType } from "@tfxio/wire";

/** Types that several tests share. */
const SAMPLE = `
  syntax = "proto2";
  package sample;
  enum Color { RED = 0; BLUE = 7; }
  message Leaf { optional sint64 depth = 1; repeated string tag = 2; }
  message Row {
    optional int64 id = 1;
    optional string name = 2;
    repeated float score = 3 [packed = true];
    repeated Leaf leaf = 4;
    optional Leaf best = 5;
    map<string, int32> count = 6;
    map<int64, Leaf> by_id = 7;
    oneof choice { int32 number = 8; string word = 9; Leaf tree = 10; }
    repeated group Line = 11 { optional bool on = 1; }
    optional Color color = 12;
    optional double weight = 13;
    extensions 100 to 200;
  }
  message Node { optional int32 value = 1; repeated Node kid = 2; }
  extend Row { optional Leaf extra = 100; repeated uint32 more = 101; }
`;

/** Returns the type of {@link SAMPLE} with this name. */
export function sampleType(name = "Row"): Promise<MessageType> {
  return parseProto(SAMPLE, `sample.${name}`);
}

/** Fields of a message: numbers become varints, text becomes strings, Uint8Arrays become bytes, and lists become messages. */
export type WireFields = readonly (readonly [number, number | bigint | string | Uint8Array | WireFields])[];

/** Encodes a message without protobuf-es. */
export function message(fields: WireFields): Uint8Array {
  const writer = new ProtoWriter();
  for (const [number, value] of fields) {
    if (typeof value === "number" || typeof value === "bigint") {
      writer.tag(number, WireType.varint).int64(BigInt(value));
    } else {
      writer.tag(number, WireType.lengthDelimited);
      if (typeof value === "string") writer.string(value);
      else writer.lengthDelimited(value instanceof Uint8Array ? value : message(value));
    }
  }
  return writer.finish();
}

/** Encodes records, each after its length. */
export function delimited(records: readonly Uint8Array[]): Uint8Array {
  const writer = new ProtoWriter();
  for (const record of records) writer.lengthDelimited(record);
  return writer.finish();
}
