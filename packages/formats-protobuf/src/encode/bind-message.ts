import type { Registry } from "@bufbuild/protobuf";
import { type ColumnElements, fieldElements } from "@tfxio/arrow-encoding";
import { ColumnPath } from "@tfxio/schema";
import { type ProtoWriter, SchemaError, WireType } from "@tfxio/wire";
import { DataType, type Field } from "apache-arrow";
import { ANY_TYPE_URL, ANY_VALUE } from "../kernels/typescript/any-casts.js";
import { MAP_KEY, type MapKey, MAP_VALUE } from "../kernels/typescript/keyed-values.js";
import { findStep } from "../plan/find-step.js";
import { entryField, type FieldShape, type MessageShape, type ValueShape } from "../plan/message-shape.js";
import { encodingOf, wireTypeOf } from "../plan/scalar-types.js";
import type { SelectedField } from "../plan/selection.js";
import { columnItems } from "./column-items.js";
import { type EncodeContext, unwritable } from "./encode-context.js";
import { scalarWriter, writeInteger, type WriteValue } from "./scalar-writer.js";

/** Prefix of a type name in an Any, as protobuf's own libraries write it. */
const TYPE_URL_PREFIX = "type.googleapis.com/";

/** Writes the fields of the message at index `position`. The function is bound to the elements that hold the messages. */
export type WriteMessage = (writer: ProtoWriter, position: number) => void;

export interface Binding {
  /** Finds extensions, and the types inside Anys. */
  readonly registry: Registry;
  readonly context: EncodeContext;
  /** Path of the column that is bound; empty for the record. */
  readonly path: ColumnPath;
}

/**
 * Binds columns to a message type for writing. Fields are written in ascending order of their numbers.
 * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `wrong-kind`.
 * @throws {ArgumentError} `invalid-argument` (`map-key`) for a column whose map key does not fit the key type of the map.
 */
export function bindMessage(
  elements: ColumnElements,
  fields: readonly Field[],
  type: MessageShape,
  binding: Binding,
): WriteMessage {
  const writers = fields
    .map(({ name }) => {
      const path = binding.path.child(name);
      const selected = findStep(type, name, path, binding.registry);
      if (selected === undefined) throw unknownColumn(path, type);
      return {
        number: selected.kind === "cast" ? ANY_VALUE : selected.field.number,
        write: bindField(fieldElements(elements, name), selected, { ...binding, path }),
      };
    })
    .sort((a, b) => a.number - b.number);
  return (writer, position) => {
    for (const { write } of writers) write(writer, position);
  };
}

/** Returns a function that writes the items of a parent in one column, including tags. */
function bindField(parents: ColumnElements, selected: SelectedField, binding: Binding): WriteMessage {
  const { field, kind } = selected;
  const { context, path } = binding;
  const column = path.toString();
  const items = columnItems(parents, column, context);
  const value = kind === "key" ? entryField(field).value : field.value;
  const writeValue = bindValue(items.elements, value, binding);
  const write = fieldWriter(selected, value, writeValue);
  const isRepeated = field.isRepeated && kind !== "key";
  return (writer, parent) => {
    const start = items.start(parent);
    const end = items.end(parent);
    if (!isRepeated && end - start > 1) {
      throw unwritable(column, context, `has ${end - start} values for a singular field`);
    }
    if (isRepeated && field.isPacked && end > start) {
      writer.tag(field.number, WireType.lengthDelimited);
      const mark = writer.beginMessage();
      for (let item = start; item < end; item++) writeValue(writer, item);
      writer.endMessage(mark);
    } else for (let item = start; item < end; item++) write(writer, item);
  };
}

/**
 * Returns a function that writes one item with its tag. For a map key, it writes a map entry that contains the item. For the
 * message in an Any, it writes the type URL and the value of the Any.
 */
function fieldWriter({ kind, key, field }: SelectedField, value: ValueShape, write: WriteValue): WriteValue {
  const tagged = (number: number): WriteValue => taggedWriter(number, value, write);
  if (kind === "cast") {
    const { typeName } = messageOf(field);
    const inValue = tagged(ANY_VALUE);
    return (writer, item) => {
      writer.tag(ANY_TYPE_URL, WireType.lengthDelimited).string(TYPE_URL_PREFIX + typeName);
      inValue(writer, item);
    };
  }
  if (kind === "field") return tagged(field.number);
  const inEntry = tagged(MAP_VALUE);
  return (writer, item) => {
    const mark = writer.tag(field.number, WireType.lengthDelimited).beginMessage();
    writeKey(writer, key!, field);
    inEntry(writer, item);
    writer.endMessage(mark);
  };
}

/** Returns a function that writes one value with its tag and, for a message, its length or end tag. */
function taggedWriter(number: number, value: ValueShape, write: WriteValue): WriteValue {
  if (value.kind === "scalar") {
    const wireType = wireTypeOf(encodingOf(value.scalar)) as WireType;
    return (writer, item) => write(writer.tag(number, wireType), item);
  }
  if (value.isGroup) {
    return (writer, item) => {
      write(writer.tag(number, WireType.startGroup), item);
      writer.tag(number, WireType.endGroup);
    };
  }
  return (writer, item) => {
    const mark = writer.tag(number, WireType.lengthDelimited).beginMessage();
    write(writer, item);
    writer.endMessage(mark);
  };
}

function writeKey(writer: ProtoWriter, key: MapKey, { mapKey }: FieldShape): void {
  const scalar = mapKey!;
  writer.tag(MAP_KEY, wireTypeOf(encodingOf(scalar)) as WireType);
  if ("bytes" in key) writer.lengthDelimited(key.bytes);
  else writeInteger(writer, key.value, scalar);
}

/** Returns a function that writes one value without its tag. */
function bindValue(elements: ColumnElements, value: ValueShape, binding: Binding): WriteValue {
  const { context, path } = binding;
  const column = path.toString();
  if (value.kind === "scalar") return scalarWriter(elements, value.scalar, column, context);
  const { type } = elements.data;
  if (DataType.isStruct(type)) return bindMessage(elements, type.children, value.message, binding);
  throw new SchemaError("schema-mismatch", `Column "${column}" holds ${type}; its field requires structs.`, {
    reason: "wrong-kind",
    columnPath: column,
    expected: "structs",
    actual: String(type),
  });
}

function messageOf({ value }: FieldShape): MessageShape {
  if (value.kind !== "message") throw new Error("the type of a cast must be a message");
  return value.message;
}

function unknownColumn(path: ColumnPath, { typeName }: MessageShape): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `The message ${typeName} has no field for the column "${path}".`,
    {
      reason: "unknown-column",
      columnPath: path.toString(),
    },
  );
}
