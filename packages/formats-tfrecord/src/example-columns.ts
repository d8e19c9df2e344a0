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
 * Brings batches of a schema into the columns that tf.Examples hold. Columns of such types stay as they are. Of the others,
 * single values become lists of one; integers, booleans, dates and times become Int64, text and decimals Binary, floats Float32.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for unions, intervals and view types.
 * @throws {ConversionError} (the function) `out-of-range`: `float32-inexact` for float64 that float32 cannot hold; `int64`.
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

/** Lists, at any number of levels, of what a feature holds; and structs of them, as feature lists are. */
function isOfExamples(type: DataType): boolean {
  if (DataType.isNull(type)) return true;
  if (DataType.isStruct(type)) return type.children.every((field) => isOfExamples(field.type as DataType));
  if (!isListType(type)) return false;
  const value = innermostType(type);
  if (DataType.isInt(value)) return value.bitWidth === 64 && value.isSigned;
  if (DataType.isFloat(value)) return value.precision === Precision.SINGLE;
  return DataType.isBinary(value) || DataType.isLargeBinary(value) || DataType.isNull(value);
}
