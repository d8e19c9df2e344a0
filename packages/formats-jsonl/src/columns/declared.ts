import { temporalValue, type TemporalValue } from "@tfxio/arrow-encoding";
import type { Feature, Schema } from "@tfxio/schema";
import { DataType, type Field, type Schema as ArrowSchema } from "apache-arrow";

/**
 * Kind of a column's values; `"null"` until a value or the schema decides it. `"single"` is float32, which only a schema can
 * select.
 */
export type Kind = "null" | "bool" | "int" | "float" | "single" | "text" | "list" | "struct";

/** The schema's declaration of a column. */
export interface Declared {
  readonly kind: Kind;
  /** Parses dates and times in a column of integers. If absent, text in the column is an error. */
  readonly integerOf?: TemporalValue | undefined;
  /** For lists. */
  readonly items?: Declared | undefined;
  /** For structs, in the schema's order. */
  readonly fields?: ReadonlyMap<string, Declared> | undefined;
}

/** Storage of a FLOAT feature: `"single"` is float32, and `"float"` is float64. */
export type FloatKind = Extract<Kind, "float" | "single">;

/**
 * Returns the declarations of a schema's columns.
 * @param conformed The Arrow schema that corresponds to the TFMD schema.
 */
export function declaredFields(
  { feature }: Pick<Schema, "feature">,
  conformed: Pick<ArrowSchema, "fields">,
  floats: FloatKind,
): ReadonlyMap<string, Declared> {
  const features = new Map<string, Feature>();
  // If feature names repeat, use the first feature, as in the Arrow schema.
  for (const one of feature) if (!features.has(one.name)) features.set(one.name, one);
  return new Map(
    conformed.fields.map(({ name, type }: Field) => {
      return [name, declaredOf(type, features.get(name) as Feature, floats)];
    }),
  );
}

function declaredOf(type: DataType, feature: Feature, floats: FloatKind): Declared {
  if (DataType.isList(type)) return { kind: "list", items: declaredOf(type.valueType, feature, floats) };
  if (DataType.isInt(type)) return { kind: "int", integerOf: temporalValue(feature) };
  if (DataType.isFloat(type)) return { kind: floats };
  if (!DataType.isStruct(type)) return { kind: "text" };
  const { domainInfo } = feature;
  const below = domainInfo.case === "structDomain" ? domainInfo.value : { feature: [] };
  return { kind: "struct", fields: declaredFields(below, { fields: type.children }, floats) };
}
