import { fieldIndex, isListType } from "@tfxio/arrow-encoding";
import type { ColumnPath } from "@tfxio/schema";
import { DataType, type Schema as ArrowSchema, Type } from "apache-arrow";
import { noHandler } from "./tensor-handler.js";

/** Returns the type of a column and the types nested in it along the path, outermost first. Stops at a step that is missing. */
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
 * Rejects the schema `found` if its types on the path differ from those in `made`, the handler's schema, for example because the
 * column is missing. Struct fields off the path may differ.
 * @throws {ConversionError} `not-convertible` (`no-handler`).
 */
export function assertSameTypes(made: ArrowSchema, found: ArrowSchema, path: ColumnPath): void {
  const expected = describeValue(typesOnPath(made, path));
  const actual = describeValue(typesOnPath(found, path));
  if (actual === expected) return;
  const finding = actual === "" ? "but it is missing" : `found ${actual}`;
  throw noHandler(`Column "${path}" must be ${expected || "missing"}, ${finding}.`, String(path));
}

/** Describes nested types, such as `List of Int64`: the innermost type in full, and the outer types without their children. */
function describeValue(types: readonly DataType[]): string {
  return types
    .map((type, index) => {
      if (index === types.length - 1) return String(type);
      return DataType.isFixedSizeList(type) ? `FixedSizeList[${type.listSize}]` : Type[type.typeId];
    })
    .join(" of ");
}
