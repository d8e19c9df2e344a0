import {
  createBatchConformer,
  innermostType,
  isListType,
  recordBatchOf,
  schemaFromArrow,
} from "@tfxio/arrow-encoding";
import {
  type Data,
  DataType,
  type Field,
  Precision,
  type RecordBatch,
  Schema as ArrowSchema,
} from "apache-arrow";

/**
 * Returns a function that converts batches of this schema to the column types of tf.Examples. Columns that already have such a
 * type are borrowed unchanged. In all other columns, a single value becomes a list of one value. Integers, booleans, dates and
 * times become Int64. Text and decimals become Binary. Floats become Float32.
 * @throws {UnsupportedError} `unsupported` (`column-type`) if a column is a union, an interval or a view type.
 * @throws {ConversionError} The returned function throws `out-of-range`: `float32-inexact` if float32 cannot represent a float64
 *   exactly, `int64` if an integer does not fit int64.
 */
export function exampleColumns({ fields }: ArrowSchema): (batch: RecordBatch) => RecordBatch {
  const others = fields.filter(({ type }) => !isOfExamples(type as DataType));
  if (others.length === 0) return (batch) => batch;
  const conform = createBatchConformer(schemaFromArrow(new ArrowSchema(others)));
  const isOther = new Set(others.map(({ name }) => name));
  return (batch) => {
    const { schema, data } = conform(batch);
    const places = new Map(schema.fields.map(({ name }, place) => [name, place]));
    const columns = fields.map((field, index): readonly [Field, Data] => {
      const place = isOther.has(field.name) ? places.get(field.name) : undefined;
      if (place === undefined) return [field, batch.data.children[index] as Data];
      return [schema.fields[place] as Field, data.children[place] as Data];
    });
    const made = new ArrowSchema(columns.map(([field]) => field));
    const children = columns.map(([, child]) => child);
    return recordBatchOf(made, batch.numRows, children);
  };
}

/**
 * Returns true if the type needs no conversion: if it is Null, a list (possibly nested) of Int64, Float32, Binary, LargeBinary or
 * Null, or a struct whose fields need no conversion. Structs are included because they may hold feature lists.
 */
function isOfExamples(type: DataType): boolean {
  if (DataType.isNull(type)) return true;
  if (DataType.isStruct(type)) return type.children.every((field) => isOfExamples(field.type as DataType));
  if (!isListType(type)) return false;
  const value = innermostType(type);
  if (DataType.isInt(value)) return value.bitWidth === 64 && value.isSigned;
  if (DataType.isFloat(value)) return value.precision === Precision.SINGLE;
  return DataType.isBinary(value) || DataType.isLargeBinary(value) || DataType.isNull(value);
}
