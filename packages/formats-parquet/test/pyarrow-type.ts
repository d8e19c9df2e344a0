import { type DataType, Type } from "apache-arrow";

const UNITS = ["s", "ms", "us", "ns"];

/** Returns the name that pyarrow prints for a type of arrow-js. */
export function pyarrowType(type: DataType): string {
  const any = type as unknown as {
    isSigned: boolean;
    bitWidth: number;
    precision: number;
    scale: number;
    unit: number;
    timezone: string | null;
    byteWidth: number;
    listSize: number;
    keysSorted: boolean;
    mode: number;
    typeIds: Int32Array;
    indices: DataType;
    dictionary: DataType;
    isOrdered: boolean;
  };
  const field = ({ name, type: inner, nullable }: (typeof type.children)[number]): string =>
    `${name}: ${pyarrowType(inner)}${nullable ? "" : " not null"}`;
  const [item] = type.children ?? [];
  switch (type.typeId) {
    case Type.Null:
      return "null";
    case Type.Bool:
      return "bool";
    case Type.Int:
      return `${any.isSigned ? "" : "u"}int${any.bitWidth}`;
    case Type.Float:
      return ["halffloat", "float", "double"][any.precision]!;
    case Type.Utf8:
      return "string";
    case Type.LargeUtf8:
      return "large_string";
    case Type.Binary:
      return "binary";
    case Type.LargeBinary:
      return "large_binary";
    case Type.FixedSizeBinary:
      return `fixed_size_binary[${any.byteWidth}]`;
    case Type.Decimal:
      return `decimal${any.bitWidth}(${any.precision}, ${any.scale})`;
    case Type.Date:
      return any.unit === 0 ? "date32[day]" : "date64[ms]";
    case Type.Time:
      return `time${any.bitWidth}[${UNITS[any.unit]}]`;
    case Type.Timestamp:
      return `timestamp[${UNITS[any.unit]}${any.timezone ? `, tz=${any.timezone}` : ""}]`;
    case Type.Duration:
      return `duration[${UNITS[any.unit]}]`;
    case Type.Interval:
      return ["month_interval", "day_time_interval", "month_day_nano_interval"][any.unit]!;
    case Type.List:
      return `list<${field(item!)}>`;
    case Type.LargeList:
      return `large_list<${field(item!)}>`;
    case Type.FixedSizeList:
      return `fixed_size_list<${field(item!)}>[${any.listSize}]`;
    case Type.Struct:
      return `struct<${type.children.map(field).join(", ")}>`;
    case Type.Map: {
      const [key, value] = (item!.type as DataType).children;
      const sorted = any.keysSorted ? ", keys_sorted" : "";
      return `map<${pyarrowType(key!.type)}, ${pyarrowType(value!.type)}${sorted}>`;
    }
    case Type.Union: {
      const parts = type.children.map((child, index) => `${field(child)}=${any.typeIds[index]}`);
      return `${any.mode === 1 ? "dense" : "sparse"}_union<${parts.join(", ")}>`;
    }
    case Type.Dictionary: {
      const ordered = any.isOrdered ? 1 : 0;
      return `dictionary<values=${pyarrowType(any.dictionary)}, indices=${pyarrowType(any.indices)}, ordered=${ordered}>`;
    }
    default:
      return String(type);
  }
}
