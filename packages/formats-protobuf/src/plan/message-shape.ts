import { type DescExtension, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { MAP_KEY, MAP_VALUE } from "../kernels/typescript/keyed-values.js";

/** Type of the values of a field: a scalar, or a message. */
export type ValueShape =
  | { readonly kind: "scalar"; readonly scalar: ScalarType }
  | { readonly kind: "message"; readonly message: MessageShape; readonly isGroup: boolean };

/** The properties of a field that determine its bytes and its column. */
export interface FieldShape {
  readonly name: string;
  readonly number: number;
  readonly isRepeated: boolean;
  /** True if a writer packs the values. A reader accepts both forms. */
  readonly isPacked: boolean;
  /** True for a singular scalar without presence, the default in proto3. Writers may omit such a field if it is zero. */
  readonly isImplicit: boolean;
  /** Name of the oneof to which the field belongs. */
  readonly oneof: string | undefined;
  readonly value: ValueShape;
  /** Type of the keys, if the field is a map. */
  readonly mapKey: ScalarType | undefined;
}

/** A message type. Its fields are resolved on demand, because types may be recursive. */
export interface MessageShape {
  readonly typeName: string;
  readonly isMapEntry: boolean;
  /** True for the MessageSet wire format, in which each extension is a group with a type id and a message. */
  readonly isMessageSet: boolean;
  /** Returns the fields in descriptor order, without extensions. */
  fields(): readonly FieldShape[];
}

const shapes = new WeakMap<DescMessage, MessageShape>();

/**
 * Returns the shape of a message type. The same descriptor always gets the same shape object, so fields can be compared by
 * reference.
 */
export function messageShape(desc: DescMessage): MessageShape {
  const known = shapes.get(desc);
  if (known !== undefined) return known;
  let fields: readonly FieldShape[] | undefined;
  const shape: MessageShape = {
    typeName: desc.typeName,
    isMapEntry: false,
    isMessageSet: desc.proto.options?.messageSetWireFormat === true,
    fields: () => (fields ??= desc.fields.map((field) => fieldShape(field, field.name))),
  };
  shapes.set(desc, shape);
  return shape;
}

/** Returns the shape of a field or extension. @param name name of its column. */
export function fieldShape(desc: DescField | DescExtension, name: string): FieldShape {
  const isSingular = desc.fieldKind !== "list" && desc.fieldKind !== "map";
  return {
    name,
    number: desc.number,
    isRepeated: !isSingular,
    isPacked: desc.fieldKind === "list" && desc.packed,
    isImplicit:
      isSingular && desc.message === undefined && desc.presence === FeatureSet_FieldPresence.IMPLICIT,
    oneof: desc.oneof?.name,
    value: desc.fieldKind === "map" ? messageValue(entryShape(desc)) : valueShape(desc),
    mapKey: desc.fieldKind === "map" ? desc.mapKey : undefined,
  };
}

/** Returns the value field of the entries of a map. */
export function entryField({ value }: FieldShape): FieldShape {
  if (value.kind !== "message") throw new Error("the entries of a map must be messages");
  return value.message.fields().find(({ number }) => number === MAP_VALUE)!;
}

/** Returns the value type of a field. Enums are read as int32 numbers. */
function valueShape(desc: DescField | DescExtension): ValueShape {
  if (desc.message !== undefined) {
    return messageValue(messageShape(desc.message), "delimitedEncoding" in desc && desc.delimitedEncoding);
  }
  return { kind: "scalar", scalar: desc.scalar ?? ScalarType.INT32 };
}

function messageValue(message: MessageShape, isGroup = false): ValueShape {
  return { kind: "message", message, isGroup };
}

/** Creates the message type of the entries of a map, with the fields `key` and `value`. */
function entryShape(desc: (DescField | DescExtension) & { fieldKind: "map" }): MessageShape {
  const singular = {
    isRepeated: false,
    isPacked: false,
    isImplicit: false,
    oneof: undefined,
    mapKey: undefined,
  };
  const fields: readonly FieldShape[] = [
    { name: "key", number: MAP_KEY, value: { kind: "scalar", scalar: desc.mapKey }, ...singular },
    { name: "value", number: MAP_VALUE, value: valueShape(desc), ...singular },
  ];
  return { typeName: `${desc.name} entry`, isMapEntry: true, isMessageSet: false, fields: () => fields };
}
