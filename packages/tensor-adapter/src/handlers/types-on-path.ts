import { fieldIndex, isListType } from "@tfxio/arrow-encoding";
import type { ColumnPath } from "@tfxio/schema";
import { DataType, type Schema as ArrowSchema, Type } from "apache-arrow";
import { noHandler } from "./tensor-handler.js";

/** Types of a column, and of what lies inside it on the path, outermost first; as far as the schema has it. */
export function typesOnPath(schema: ArrowSchema, { steps }: ColumnPath): DataType[] {
  const types: DataType[] = [];
  let fields = schema.fields;
  for (const step of steps) {
    let type = fields[fieldIndex(fields, step)]?.type as DataType | undefined;
    fields = [];
    for (; type !== undefined; type = isListType(type) ? (type.valueType as DataType) : undefined) {
      types.push(type);
      if (DataType.isStruct(type)) fields = type.children;
    }
  }
  return types;
}

/**
 * Refuses a schema that has another type on the path to a column than the one that a handler was made for, or lacks the
 * column. Fields of structs beside the path may differ.
 * @throws {ConversionError} `not-convertible` (`no-handler`).
 */
export function assertSameTypes(made: ArrowSchema, found: ArrowSchema, path: ColumnPath): void {
  const expected = describeValue(typesOnPath(made, path));
  const actual = describeValue(typesOnPath(found, path));
  if (actual === expected) return;
  const finding = actual === "" ? "it is missing" : `found ${actual}`;
  throw noHandler(`Column "${path}" has to be ${expected || "missing"}, ${finding}.`, String(path));
}

/** The whole type of the innermost, and what the others are. */
function describeValue(types: readonly DataType[]): string {
  return types
    .map((type, index) => {
      if (index === types.length - 1) return String(type);
      return DataType.isFixedSizeList(type) ? `FixedSizeList[${type.listSize}]` : Type[type.typeId];
    })
    .join(" of ");
}
