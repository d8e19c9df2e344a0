import {
  DataType,
  Dictionary,
  Field,
  FixedSizeList,
  LargeList,
  List,
  Map_,
  Schema as ArrowSchema,
  Struct,
} from "apache-arrow";
import { DenseUnion, SparseUnion, UnionMode } from "apache-arrow";

/**
 * Gives each dictionary a separate id, in column order and innermost first. The ids in `schema` cannot be kept,
 * because different dictionaries may have the same id in a schema that was composed from several files.
 */
export function withOwnDictionaryIds(schema: ArrowSchema): ArrowSchema {
  let numIds = 0;
  const fieldOf = (field: Field): Field =>
    new Field(field.name, typeOf(field.type), field.nullable, field.metadata);
  const typeOf = (type: DataType): DataType => {
    if (DataType.isDictionary(type)) {
      const values = typeOf(type.dictionary as DataType);
      return new Dictionary(values, type.indices, numIds++, type.isOrdered);
    }
    if (DataType.isStruct(type)) return new Struct(type.children.map(fieldOf));
    if (DataType.isList(type)) return new List(fieldOf(type.valueField));
    if (DataType.isLargeList(type)) return new LargeList(fieldOf(type.valueField));
    if (DataType.isFixedSizeList(type)) return new FixedSizeList(type.listSize, fieldOf(type.valueField));
    if (DataType.isMap(type)) return new Map_(fieldOf(type.children[0] as Field) as never, type.keysSorted);
    if (DataType.isUnion(type)) {
      const Union = type.mode === UnionMode.Dense ? DenseUnion : SparseUnion;
      return new Union([...type.typeIds], type.children.map(fieldOf));
    }
    return type;
  };
  return new ArrowSchema(schema.fields.map(fieldOf), schema.metadata);
}
