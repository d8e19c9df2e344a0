import type { ReverseWriter } from "./reverse-writer.js";

// Tags (field number × 8 + wire type 2) of tensorflow/core/example/{feature,example}.proto.
const listTags = { bytes: 0x0a, float: 0x12, int64: 0x1a } as const;
const firstField = 0x0a;
const secondField = 0x12;

/** Kind of a feature's values. */
export type ValueKind = keyof typeof listTags;

/** Writes one `tensorflow.Feature` of `kind`. `writeValues` must write the values from last to first. */
export function writeFeature(
  writer: ReverseWriter,
  kind: ValueKind,
  writeValues: (writer: ReverseWriter) => void,
): void {
  const list = writer.position;
  writeValues(writer);
  // float and int64 values are packed into one field. An empty list omits that field.
  if (kind !== "bytes" && writer.position !== list) writer.close(firstField, list);
  writer.close(listTags[kind], list);
}

/** Writes one value of a bytes list. Protobuf does not pack bytes fields, so each value has a tag. */
export function writeBytesValue(writer: ReverseWriter, value: Uint8Array): void {
  const end = writer.position;
  writer.bytes(value);
  writer.close(firstField, end);
}

/** Writes one entry of a `map<string, …>` in a Features or FeatureLists message. */
export function writeEntry(
  writer: ReverseWriter,
  name: Uint8Array,
  writeValue: (writer: ReverseWriter) => void,
): void {
  const entry = writer.position;
  writeValue(writer);
  writer.close(secondField, entry);
  writeBytesValue(writer, name);
  writer.close(firstField, entry);
}

/** Writes field 1 (`features` or `context`) or 2 (`feature_lists`) of a record. `writeEntries` must write its map entries. */
export function writeMap(
  writer: ReverseWriter,
  field: 1 | 2,
  writeEntries: (writer: ReverseWriter) => void,
): void {
  const end = writer.position;
  writeEntries(writer);
  writer.close(field === 1 ? firstField : secondField, end);
}
