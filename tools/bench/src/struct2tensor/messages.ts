import { ProtoWriter, WireType } from "@tfxio/wire";
import { letters, type MessageSet, repeat } from "../proto/message-sets.js";
import type { Random } from "../sets/random.js";

const LEVELS = 5;
const kinds = [
  { name: "int_values", type: "int64" },
  { name: "float_values", type: "float" },
  { name: "bytes_values", type: "bytes" },
] as const;

/** Messages that are nested five levels deep, with one value of every type on each level, as in struct2tensor's own benchmark. */
export const deepAllTypes: MessageSet = {
  name: "deep_all_types",
  proto: `syntax = "proto3"; package bench; ${Array.from({ length: LEVELS }, (_, index) => {
    const level = index + 1;
    const values = kinds.map(({ name, type }, kind) => `repeated ${type} ${name}_${level} = ${kind + 1};`);
    const child = level < LEVELS ? `repeated Deep${level + 1} child_${level} = 4;` : "";
    return `message Deep${level} { ${values.join(" ")} ${child} }`;
  }).join("\n")}`,
  message: "bench.Deep1",
  record(random) {
    const writer = new ProtoWriter();
    writeDeep(writer, random, 1);
    return writer.finish();
  },
};

function writeDeep(writer: ProtoWriter, random: Random, level: number): void {
  repeat(writer, 1, 1, () => writer.varint32(random.uint32()));
  repeat(writer, 2, 1, () => writer.float(random.unit()));
  writer.tag(3, WireType.lengthDelimited).lengthDelimited(letters(random, 5));
  if (level < LEVELS) repeat(writer, 4, 1, () => writeDeep(writer, random, level + 1));
}

const FEATURES = 100;

/** Messages of 100 repeated integer fields with `numValues` values each, as in struct2tensor's own benchmark. */
export function flatFeatures(numValues: number): MessageSet {
  return {
    name: `flat_100_features_${numValues}_values`,
    proto: `syntax = "proto3"; package bench; message Wide { ${Array.from(
      { length: FEATURES },
      (_, index) => `repeated int64 int_values_${index + 1} = ${index + 1};`,
    ).join(" ")} }`,
    message: "bench.Wide",
    record(random) {
      const writer = new ProtoWriter();
      for (let number = 1; number <= FEATURES; number++) {
        repeat(writer, number, 1, () => {
          for (let left = numValues; left > 0; left--) writer.varint32(random.below(100_000));
        });
      }
      return writer.finish();
    },
  };
}

const messages = ["Visit", "Page", "Block", "Item", "Action"];
const leaves = ["int64", "string", "float", "bool", "double", "bytes", "int32", "repeated int32"];

/** Paths of the event log's leaves: eight on each of five levels. */
export const eventLeaves: readonly string[] = messages.flatMap((_, level) =>
  leaves.map((_leaf, index) => [...messages.slice(1, level + 1).map(childName), `f${index + 1}`].join(".")),
);

/**
 * Messages of a log of events, with 40 leaves on five levels. On every level, the float leaf and the double leaf are each absent
 * from about a quarter of the messages.
 */
export const eventLog: MessageSet = {
  name: "event_log",
  proto: `syntax = "proto2"; package bench; ${messages
    .map((message, level) => {
      const fields = leaves.map((type, index) => {
        const isList = type.startsWith("repeated");
        return `${isList ? type : `optional ${type}`} f${index + 1} = ${index + 1}${isList ? " [packed = true]" : ""};`;
      });
      const child = messages[level + 1];
      const nested = child === undefined ? "" : `repeated ${child} ${childName(child)} = 9;`;
      return `message ${message} { ${fields.join(" ")} ${nested} }`;
    })
    .join("\n")}`,
  message: "bench.Visit",
  record(random) {
    const writer = new ProtoWriter();
    writeEvent(writer, random, 0);
    return writer.finish();
  },
};

function childName(message: string): string {
  return message.toLowerCase();
}

function writeEvent(writer: ProtoWriter, random: Random, level: number): void {
  writer.tag(1, WireType.varint).varint32(random.uint32());
  writer.tag(2, WireType.lengthDelimited).lengthDelimited(letters(random, 4 + random.below(12)));
  if (random.below(4) > 0) writer.tag(3, WireType.fixed32).float(random.unit());
  writer.tag(4, WireType.varint).varint32(random.below(2));
  if (random.below(4) > 0) writer.tag(5, WireType.fixed64).double(random.unit());
  writer.tag(6, WireType.lengthDelimited).lengthDelimited(letters(random, 16));
  writer.tag(7, WireType.varint).varint32(random.below(5000));
  repeat(writer, 8, 1, () => {
    for (let left = 1 + random.below(4); left > 0; left--) writer.varint32(random.below(30_000));
  });
  if (level + 1 < messages.length) {
    repeat(writer, 9, 1 + random.below(2), () => writeEvent(writer, random, level + 1));
  }
}
