/** An Avro type with all names resolved: each reference by name is replaced by the type. */
export type AvroType =
  | { readonly kind: PrimitiveKind; readonly logical?: TimeKind | undefined }
  | DecimalType
  | { readonly kind: "fixed"; readonly size: number }
  | { readonly kind: "enum"; readonly symbols: readonly string[] }
  | { readonly kind: "array"; readonly items: AvroType }
  | { readonly kind: "map"; readonly values: AvroType }
  | RecordType
  | UnionType;

export type PrimitiveKind = "null" | "boolean" | "int" | "long" | "float" | "double" | "bytes" | "string";

/** A decimal in big-endian two's complement. `size` is its number of bytes if the underlying type is `fixed`. */
export interface DecimalType {
  readonly kind: "decimal";
  readonly size?: number | undefined;
  readonly precision: number;
  readonly scale: number;
}

export interface RecordType {
  readonly kind: "record";
  readonly fields: readonly { readonly name: string; readonly type: AvroType }[];
}

export interface UnionType {
  readonly kind: "union";
  readonly branches: readonly AvroType[];
}

/** Logical types of int and long. @see Avro 1.12 specification, "Logical Types" */
export const TIME_KINDS = {
  date: "int",
  "time-millis": "int",
  "time-micros": "long",
  "timestamp-millis": "long",
  "timestamp-micros": "long",
  "timestamp-nanos": "long",
  "local-timestamp-millis": "long",
  "local-timestamp-micros": "long",
  "local-timestamp-nanos": "long",
} as const;

export type TimeKind = keyof typeof TIME_KINDS;

/** Minimum size of a value in bytes. It allows checking a count of values before reading them. */
export function minBytes(type: AvroType): number {
  switch (type.kind) {
    case "null":
      return 0;
    case "float":
      return 4;
    case "double":
      return 8;
    case "fixed":
      return type.size;
    case "decimal":
      return type.size ?? 1;
    case "record":
      return type.fields.reduce((sum, field) => sum + minBytes(field.type), 0);
    default:
      return 1;
  }
}
