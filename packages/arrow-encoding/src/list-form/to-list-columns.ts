import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType, type Field, type List, makeData, type RecordBatch } from "apache-arrow";
import { aRecordBatch } from "../argument-rules.js";
import { columnElements, listElements, nullMask } from "../column/column-access.js";
import { elementsData } from "../column/elements-data.js";
import { iota } from "../array/flatten-nested.js";
import { isListType } from "../column/list-column.js";
import { bitmapOf, type Validity } from "../column/make-list.js";
import { recordBatchOf } from "../table/record-batch.js";
import { toSingletonLists } from "../column/singleton-list.js";
import { convertLeaf, type Place } from "./convert-leaf.js";
import { listColumnsSchema } from "./list-types.js";
import { listsOfOne } from "./lists-of-one.js";
import { mapAsList, mapAsListType } from "./map-as-list.js";

/**
 * Converts a batch to list form, the form of decoded tf.Examples: every value is in a list, and null differs from empty. A batch
 * or column that is already in list form is returned unchanged.
 *
 * - A flat column becomes lists of one value, null where the value is null. Lists keep their levels and become `List`. The fields
 *   of a struct are converted to list form. A map becomes a list of structs with `key` and `value`.
 * - Integers become Int64, and float16 becomes Float32; other floats keep their type. Text and bytes of any kind become Binary. A
 *   Null column becomes a `List<Null>` in which every row is null.
 * - Bool becomes Uint8. Dates, times, timestamps and durations become Int64. Decimals become Binary with their text. The field
 *   metadata records the original type. `tfxio.logical` is `bool`, `date`, `time`, `timestamp`, `duration` or `decimal`.
 *   `tfxio.unit` is `day`, `second`, `millisecond`, `microsecond` or `nanosecond`. Timestamps with a time zone have
 *   `tfxio.timezone`, and decimals have `tfxio.precision` and `tfxio.scale`.
 * - Dictionaries are decoded. The existing metadata of columns, struct fields and the schema is kept, except for Arrow's
 *   extension types.
 *
 * Text, bytes, float32, float64 and values stored as 64-bit integers are borrowed, except from dictionaries, from flat columns
 * with nulls, and from lists if null rows span values. The offsets of a List are borrowed if they start at 0 and no null row
 * spans values. Flat columns without nulls share one offsets buffer.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for unions, intervals and view types.
 * @throws {ConversionError} `out-of-range` (`int64`) for an unsigned integer beyond int64. The error names the column and row.
 */
export function toListColumns(batch: RecordBatch): RecordBatch {
  assertArgument("batch", batch, aRecordBatch);
  const schema = listColumnsSchema(batch.schema);
  if (schema === batch.schema) return batch;
  const { numRows } = batch;
  const converter = new ListConverter(numRows);
  const children = batch.data.children.map((data, index) => {
    const { name, type } = batch.schema.fields[index] as Field;
    const target = (schema.fields[index] as Field).type;
    return converter.column(data, type, target, { columnPath: name, rowOf: (row) => row });
  });
  return recordBatchOf(schema, numRows, children, batch.metadata);
}

/**
 * Converts the columns of one batch. {@link listColumnsSchema} keeps the type objects that need no conversion, so types are
 * compared with `===`.
 */
class ListConverter {
  readonly #numRows: number;
  #iota: Int32Array | undefined;

  constructor(numRows: number) {
    this.#numRows = numRows;
  }

  /** Converts a column, or a field of a struct. */
  column(data: Data, type: DataType, target: DataType, place: Place): Data {
    if (isNested(type)) return this.#item(data, type, target, place);
    const values = convertLeaf(data, (target as List).valueType, place);
    // The null count of a sliced Null column is unreliable.
    if (DataType.isNull(type)) return toSingletonLists(values).clone(target);
    if (values.nullCount > 0) return listsOfOne(values, target as List, place.columnPath);
    return makeList(values, this.#ones(values.length), target, { nullCount: 0 });
  }

  /** Converts the items of a list. Unlike `column`, it does not wrap flat values in lists. */
  #item(data: Data, type: DataType, target: DataType, place: Place): Data {
    if (type === target) return data;
    if (DataType.isStruct(type)) return this.#struct(data, type.children, target, place);
    if (isNested(type)) return this.#lists(data, type, target as List, place);
    return convertLeaf(data, target, place);
  }

  #lists(data: Data, type: DataType, target: List, place: Place): Data {
    const rows = columnElements(mapAsList(data));
    const [item] = (DataType.isMap(type) ? mapAsListType(type) : type).children as [Field];
    const { rowSplits, elements } = listElements(rows);
    const values = this.#item(elementsData(elements), item.type, target.valueType, {
      columnPath: place.columnPath,
      rowOf: (index) => place.rowOf(rowSplits.findIndex((_, row) => index < (rowSplits[row + 1] as number))),
    });
    const isNull = nullMask(rows);
    const nullCount = isNull?.reduce((sum, one) => sum + one, 0) ?? 0;
    const nullBitmap = isNull && bitmapOf(data.length, (row) => isNull[row] === 0);
    return makeList(values, rowSplits, target, { nullCount, nullBitmap });
  }

  #struct(data: Data, fields: readonly Field[], target: DataType, place: Place): Data {
    const { nullable, length, runs } = columnElements(data);
    const targets = target.children as readonly Field[];
    const children = fields.map(({ name, type }, index) => {
      const child = data.children[index] as Data;
      const around = child.nullCount > 0 ? [...nullable, child] : nullable;
      // Fields of null structs may still hold values.
      const values = elementsData({ data: child, runs, length, nullable: around });
      const columnPath = `${place.columnPath}.${name}`;
      return this.column(values, type, (targets[index] as Field).type, { ...place, columnPath });
    });
    return data.clone(target, data.offset, length, data.nullCount, data.buffers, children);
  }

  /** Returns the offsets of lists of one value each. Columns with one value per row of the batch share one array. */
  #ones(length: number): Int32Array {
    if (length !== this.#numRows) return iota(length + 1);
    return (this.#iota ??= iota(length + 1));
  }
}

/** Returns true for types whose values are converted recursively. */
function isNested(type: DataType): boolean {
  return DataType.isStruct(type) || isListType(type) || DataType.isMap(type);
}

function makeList(values: Data, valueOffsets: Int32Array, type: DataType, validity: Validity): Data {
  const length = valueOffsets.length - 1;
  return makeData({ type: type as List, length, valueOffsets, child: values, ...validity });
}
