import { Binary, Field, Float32, Int64, List, Schema as ArrowSchema } from "apache-arrow";
import type { ColumnSpec } from "../../sets/bench-set.js";
import type { ValueKind } from "../../sets/example-fields.js";

const itemTypes = { bytes: () => new Binary(), float: () => new Float32(), int64: () => new Int64() };

/** Returns the Arrow type of one value of a feature of `kind`. */
export function itemTypeOf(kind: ValueKind): Binary | Float32 | Int64 {
  return itemTypes[kind]();
}

/** Returns the Arrow type of a feature of `kind`: a list of {@link itemTypeOf}. */
export function listTypeOf(kind: ValueKind): List<Binary | Float32 | Int64> {
  return new List(new Field<Binary | Float32 | Int64>("item", itemTypeOf(kind), true));
}

/** Returns the Arrow schema of a set's columns, which are nullable lists. */
export function arrowSchemaOf(columns: readonly ColumnSpec[]): ArrowSchema {
  return new ArrowSchema(columns.map(({ name, kind }) => new Field(name, listTypeOf(kind), true)));
}
