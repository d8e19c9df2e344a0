import { temporalValue, type TemporalValue } from "@tfxio/arrow-encoding";
import type { Feature, Schema } from "@tfxio/schema";
import { DataType, type Field, type Schema as ArrowSchema } from "apache-arrow";

/** Kind of a column's values; `null` until it has one that is not null. `single` is float32, which only schemas ask for. */
export type Kind = "null" | "bool" | "int" | "float" | "single" | "text" | "list" | "struct";

/** What a schema says of a column. */
export interface Declared {
  readonly kind: Kind;
  /** Reads text in a column of integers: dates and times. Absent: it takes no text. */
  readonly integerOf?: TemporalValue | undefined;
  /** Of lists. */
  readonly items?: Declared | undefined;
  /** Of structs, in the schema's order. */
  readonly fields?: ReadonlyMap<string, Declared> | undefined;
}

/** How floats of a FLOAT feature are kept: `"single"` is float32. */
export type FloatKind = Extract<Kind, "float" | "single">;

/** The columns of a schema. @param conformed its Arrow schema. */
export function declaredFields(
  { feature }: Pick<Schema, "feature">,
  conformed: Pick<ArrowSchema, "fields">,
  floats: FloatKind,
): ReadonlyMap<string, Declared> {
  const features = new Map<string, Feature>();
  // Of features of one name the first counts, as in the Arrow schema.
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
