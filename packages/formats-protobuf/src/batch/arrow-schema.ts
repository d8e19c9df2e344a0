import { ScalarType } from "@bufbuild/protobuf";
import { type DataType, Field, LargeList, List, Schema as ArrowSchema, Struct } from "apache-arrow";
import { entryField } from "../plan/message-shape.js";
import { type ListType, scalarArrowType } from "../plan/scalar-types.js";
import type { SelectedField, SelectedMessage } from "../plan/selection.js";

/** Metadata of bool fields, whose Arrow type is Uint8. Readers recognize bools by it. */
const BOOL_METADATA: readonly (readonly [string, string])[] = [["tfxio.proto.type", "bool"]];

/** Returns the schema of batches with these columns. Every column, at every depth, is a nullable list. */
export function arrowSchemaOf({ fields }: SelectedMessage, listType: ListType): ArrowSchema {
  return new ArrowSchema(fields.map((selected) => arrowField(selected, listType)));
}

function arrowField(selected: SelectedField, listType: ListType): Field {
  const item = new Field("item", itemType(selected, listType), true);
  const type = listType === "large" ? new LargeList(item) : new List(item);
  return new Field(selected.name, type, true, isBool(selected) ? new Map(BOOL_METADATA) : undefined);
}

function itemType(selected: SelectedField, listType: ListType): DataType {
  const value = valueOf(selected);
  if (value.kind === "scalar") return scalarArrowType(value.scalar, listType);
  return new Struct(selected.message!.fields.map((field) => arrowField(field, listType)));
}

/** Returns the protobuf type of a column's items. */
function valueOf({ kind, field }: SelectedField): SelectedField["field"]["value"] {
  return kind === "key" ? entryField(field).value : field.value;
}

function isBool(selected: SelectedField): boolean {
  const value = valueOf(selected);
  return value.kind === "scalar" && value.scalar === ScalarType.BOOL;
}

/** Creates the field of the raw record column: a list with one byte string per row. */
export function rawRecordField(name: string, listType: ListType): Field {
  const item = new Field("item", scalarArrowType(ScalarType.BYTES, listType), true);
  return new Field(name, listType === "large" ? new LargeList(item) : new List(item), true);
}
