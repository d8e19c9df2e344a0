import { UnsupportedError } from "@tfxio/wire";
import {
  Binary,
  BinaryView,
  Bool,
  Data,
  DataType,
  Date_,
  Decimal,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float,
  Int,
  Interval,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  makeData,
  Map_,
  Null,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Time,
  Timestamp,
  Union,
  Utf8,
  Utf8View,
  Vector,
} from "apache-arrow";

// A program may hold two copies of apache-arrow, such as its CommonJS and its ES modules. The functions of one copy that test
// `instanceof DataType` do not recognize the types of the other copy. `instanceof RecordBatch` is true for batches of both.

/** Converted objects, with the results of their conversion. Schemas and types of this copy are mapped to themselves. */
const converted = new WeakMap<object, unknown>();

/** Converts `value` at its first occurrence only, so that objects that were shared remain shared. */
function once<Value extends object>(value: Value, convert: (value: Value) => Value): Value {
  if (!converted.has(value)) converted.set(value, convert(value));
  return converted.get(value) as Value;
}

/**
 * Converts a batch of another copy of apache-arrow to the classes of this copy. Borrows its buffers. A batch of this copy is
 * returned unchanged.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a type that this copy does not have.
 */
export function asOwnBatch(batch: RecordBatch): RecordBatch {
  const schema = asOwnSchema(batch.schema);
  if (batch.data.type instanceof DataType && schema === batch.schema) return batch;
  const { length } = batch.data;
  const columns = { type: new Struct(schema.fields), length, nullCount: 0 };
  const data = makeData({ ...columns, children: batch.data.children.map(asOwnData) });
  // If the constructor received the schema and the data, it would look up and clone every field.
  const empty = makeData({ type: new Struct([]), length, nullCount: 0, children: [] });
  return Object.assign(new RecordBatch(new ArrowSchema([]), empty, new Map(batch.metadata)), {
    schema,
    data,
  });
}

/**
 * Converts a schema of another copy of apache-arrow to the classes of this copy. A schema of this copy is returned unchanged.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a type that this copy does not have.
 */
export function asOwnSchema(schema: ArrowSchema): ArrowSchema {
  return once(schema, ({ fields, metadata, metadataVersion }) => {
    if (fields.every(({ type }) => asOwnType(type) === type)) return schema;
    return new ArrowSchema(fields.map(asOwnField), new Map(metadata), undefined, metadataVersion);
  });
}

function asOwnData(data: Data): Data {
  const { offset, length, nullCount, buffers, children, variadicBuffers } = data;
  const dictionary = data.dictionary && once(data.dictionary, asOwnDictionary);
  const own = children.map(asOwnData);
  return new Data(asOwnType(data.type), offset, length, nullCount, buffers, own, dictionary, variadicBuffers);
}

/**
 * Converts a dictionary. Each of its arrays is converted only once, so an array that several batches share remains one object.
 * This lets a writer see that a dictionary begins with the arrays that it has already written.
 */
function asOwnDictionary({ data }: Vector): Vector {
  return new Vector(data.map((values) => once(values, asOwnData)));
}

function asOwnField({ name, type, nullable, metadata }: Field): Field {
  return new Field(name, asOwnType(type), nullable, new Map(metadata));
}

function asOwnType(type: DataType): DataType {
  return once(type, () => (isOwnType(type) ? type : rebuiltType(type)));
}

function isOwnType(type: DataType): boolean {
  if (!(type instanceof DataType)) return false;
  if (DataType.isDictionary(type)) return isOwnType(type.dictionary) && isOwnType(type.indices);
  return fieldsOf(type).every((field) => isOwnType(field.type));
}

function fieldsOf({ children }: DataType): readonly Field[] {
  return (children as readonly Field[] | null) ?? [];
}

function rebuiltType(type: DataType): DataType {
  const fields = fieldsOf(type).map(asOwnField);
  const [child] = fields as [Field];
  // `DataType.isNull` and the checks that follow compare type ids, so they recognize types of every copy.
  if (DataType.isNull(type)) return new Null();
  if (DataType.isInt(type)) return new Int(type.isSigned, type.bitWidth);
  if (DataType.isFloat(type)) return new Float(type.precision);
  if (DataType.isBinary(type)) return new Binary();
  if (DataType.isLargeBinary(type)) return new LargeBinary();
  if (DataType.isBinaryView(type)) return new BinaryView();
  if (DataType.isUtf8(type)) return new Utf8();
  if (DataType.isLargeUtf8(type)) return new LargeUtf8();
  if (DataType.isUtf8View(type)) return new Utf8View();
  if (DataType.isBool(type)) return new Bool();
  if (DataType.isDecimal(type)) return new Decimal(type.scale, type.precision, type.bitWidth);
  if (DataType.isDate(type)) return new Date_(type.unit);
  if (DataType.isTime(type)) return new Time(type.unit, type.bitWidth);
  if (DataType.isTimestamp(type)) return new Timestamp(type.unit, type.timezone);
  if (DataType.isInterval(type)) return new Interval(type.unit);
  if (DataType.isDuration(type)) return new Duration(type.unit);
  if (DataType.isFixedSizeBinary(type)) return new FixedSizeBinary(type.byteWidth);
  if (DataType.isList(type)) return new List(child);
  if (DataType.isLargeList(type)) return new LargeList(child);
  if (DataType.isFixedSizeList(type)) return new FixedSizeList(type.listSize, child);
  if (DataType.isMap(type)) return new Map_(child, type.keysSorted);
  if (DataType.isStruct(type)) return new Struct(fields);
  if (DataType.isUnion(type)) return new Union(type.mode, type.typeIds, fields);
  if (DataType.isDictionary(type)) {
    const indices = asOwnType(type.indices) as typeof type.indices;
    return new Dictionary(asOwnType(type.dictionary), indices, type.id, type.isOrdered);
  }
  throw new UnsupportedError(
    `The type ${type} comes from another copy of apache-arrow and cannot be converted. Create the type with the copy that ` +
      "this package imports.",
    { reason: "column-type", feature: `converting ${type}` },
  );
}
