/** An Avro type in which every reference by name has been replaced by the named type. */
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

/** A decimal, stored as an unscaled integer in big-endian two's complement. */
export interface DecimalType {
  readonly kind: "decimal";
  /** Number of bytes of each value if the underlying type is `fixed`. Absent for `bytes`, whose values store their length. */
  readonly size?: number | undefined;
  /** Maximum number of decimal digits. */
  readonly precision: number;
  /** Number of digits after the decimal point. */
  readonly scale: number;
}

/** A record. Its fields are stored one after the other, without names or tags. */
export interface RecordType {
  readonly kind: "record";
  readonly fields: readonly { readonly name: string; readonly type: AvroType }[];
}

/** A union. A value is stored as the index of its branch, then the value of that branch. */
export interface UnionType {
  readonly kind: "union";
  readonly branches: readonly AvroType[];
}

/** Logical types for dates and times, each with its underlying type. @see Avro 1.12 specification, "Logical Types" */
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

/**
 * Returns a lower bound on the size in bytes of a value of `type`. The decoder uses it to check that all items of a block fit in
 * the remaining bytes, before it reads the first item.
 */
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
