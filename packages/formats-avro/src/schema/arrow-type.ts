import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  FixedSizeBinary,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  Map_,
  Null,
  Struct,
  TimeMicrosecond,
  TimeMillisecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  Utf8,
} from "apache-arrow";
import type { AvroType, TimeKind, UnionType } from "./avro-type.js";

/** Maximum precision of Arrow's Decimal128. */
const MAX_DECIMAL128 = 38;

/**
 * Returns the Arrow type of an Avro type. Records become structs, and enums become dictionaries of their symbols. A union of one
 * type, with or without null, becomes that type. Any other union becomes a struct with the children `member0`, `member1` and so
 * on, one for each branch except null. In each row, at most one child is not null, as in Spark.
 */
export function arrowTypeOf(type: AvroType): DataType {
  switch (type.kind) {
    case "null":
      return new Null();
    case "boolean":
      return new Bool();
    case "int":
    case "long":
      return integerType(type.kind, type.logical);
    case "float":
      return new Float32();
    case "double":
      return new Float64();
    case "bytes":
      return new Binary();
    case "string":
      return new Utf8();
    case "decimal":
      return new Decimal(type.scale, type.precision, type.precision <= MAX_DECIMAL128 ? 128 : 256);
    case "fixed":
      return new FixedSizeBinary(type.size);
    case "enum":
      return new Dictionary(new Utf8(), new Int32());
    case "array":
      return new List(arrowField("item", type.items));
    case "map": {
      const entry = new Struct([new Field("key", new Utf8(), false), arrowField("value", type.values)]);
      return new Map_(new Field("entries", entry, false));
    }
    case "record":
      return new Struct(type.fields.map(({ name, type: fieldType }) => arrowField(name, fieldType)));
    case "union": {
      const { members } = membersOfUnion(type);
      const [only] = members;
      if (members.length === 1) return arrowTypeOf(only as AvroType);
      return new Struct(
        members.map((member, index) => new Field(`member${index}`, arrowTypeOf(member), true)),
      );
    }
  }
}

/** Returns the Arrow field of a column. It is nullable if the Avro type allows null. */
export function arrowField(name: string, type: AvroType): Field {
  const isNullable = type.kind === "null" || (type.kind === "union" && membersOfUnion(type).hasNull);
  return new Field(name, arrowTypeOf(type), isNullable);
}

/** Returns the branches of a union except null. If every branch is null, returns them all. */
export function membersOfUnion({ branches }: UnionType): {
  readonly members: readonly AvroType[];
  readonly hasNull: boolean;
} {
  const members = branches.filter(({ kind }) => kind !== "null");
  return { members: members.length === 0 ? branches : members, hasNull: members.length < branches.length };
}

/** Returns the type of an int or long. `timestamp` kinds are instants in UTC. `local-timestamp` kinds have no time zone. */
function integerType(kind: "int" | "long", logical: TimeKind | undefined): DataType {
  switch (logical) {
    case undefined:
      return kind === "int" ? new Int32() : new Int64();
    case "date":
      return new DateDay();
    case "time-millis":
      return new TimeMillisecond();
    case "time-micros":
      return new TimeMicrosecond();
    case "timestamp-millis":
      return new TimestampMillisecond("UTC");
    case "timestamp-micros":
      return new TimestampMicrosecond("UTC");
    case "timestamp-nanos":
      return new TimestampNanosecond("UTC");
    case "local-timestamp-millis":
      return new TimestampMillisecond();
    case "local-timestamp-micros":
      return new TimestampMicrosecond();
    case "local-timestamp-nanos":
      return new TimestampNanosecond();
  }
}
