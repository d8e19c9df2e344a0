import { inferSchemaFromBatches, innermostType, schemaFromArrow } from "@tfxio/arrow-encoding";
import {
  compareSchemas,
  createMessage,
  type Feature,
  FeatureSchema,
  FeatureType,
  type Schema,
  type SchemaDifference,
} from "@tfxio/schema";
import { DataType, type Field, type RecordBatch, type Schema as ArrowSchema } from "apache-arrow";

/** Names of columns, each with the names of its struct fields. */
interface ColumnNames extends Map<string, ColumnNames> {}

/** Options of {@link fileColumns}. */
export interface FileColumnsOptions {
  /** The columns that the file declares; undefined if only its batches reveal them. */
  readonly arrowSchema: ArrowSchema | undefined;
  readonly maxColumns: number | undefined;
}

/**
 * Reads all batches of a file and returns its columns as a schema. Columns and struct fields in which the file has no values, and
 * for which it declares no type, become features without a type. Returns undefined if the file has no rows and declares no type.
 */
export async function fileColumns(
  batches: AsyncIterable<RecordBatch>,
  { arrowSchema, maxColumns }: FileColumnsOptions,
): Promise<Schema | undefined> {
  const names: ColumnNames = new Map();
  let numRows = 0;
  const noted = async function* (): AsyncGenerator<RecordBatch, void, undefined> {
    let last = arrowSchema;
    for await (const batch of batches) {
      numRows += batch.numRows;
      if (arrowSchema === undefined && batch.schema !== last) addNames(names, batch.schema.fields);
      last = batch.schema;
      yield batch;
    }
  };
  let schema: Schema;
  if (arrowSchema === undefined) {
    schema = await inferSchemaFromBatches(noted(), { maxColumns });
  } else {
    for await (const _ of noted());
    schema = schemaFromArrow(arrowSchema);
    addNames(names, arrowSchema.fields);
  }
  if (numRows === 0 && schema.feature.length === 0) return undefined;
  addUntyped(schema.feature, names);
  return schema;
}

/**
 * Returns the differences in the names and types of columns. Ignores all other differences, such as those in presence.
 * Also ignores columns without a type, because a file without values in a column does not contradict any type.
 */
export function columnDrift(first: Schema, schema: Schema): readonly SchemaDifference[] {
  return compareSchemas(first, schema).filter(({ element, field, left, right }) => {
    if (element !== "feature") return false;
    if (field === undefined) return Object.hasOwn(Object(left ?? right), "type");
    return field === "type" && left !== undefined && right !== undefined;
  });
}

/** In `first`, replaces every feature that has no type with the feature of the same name in `schema`, if there is one. */
export function addTypes(first: Schema, schema: Schema): void {
  addTypesTo(first.feature, schema.feature);
}

function addTypesTo(features: Feature[], others: readonly Feature[]): void {
  const byName = new Map(others.map((other) => [other.name, other]));
  for (const [index, feature] of features.entries()) {
    const other = byName.get(feature.name);
    if (other === undefined) continue;
    if (feature.type === FeatureType.TYPE_UNKNOWN) features[index] = other;
    else addTypesTo(fieldsOf(feature), fieldsOf(other));
  }
}

function addNames(names: ColumnNames, fields: readonly Field[]): void {
  for (const { name, type } of fields) {
    const below: ColumnNames = names.get(name) ?? new Map();
    names.set(name, below);
    const inner = innermostType(type);
    if (DataType.isStruct(inner)) addNames(below, inner.children);
  }
}

/** Appends a feature without a type for each name that has no feature. */
function addUntyped(features: Feature[], names: ColumnNames): void {
  const known = new Map(features.map((feature) => [feature.name, feature]));
  for (const [name, below] of names) {
    const feature = known.get(name);
    if (feature === undefined) features.push(createMessage(FeatureSchema, { name }));
    else addUntyped(fieldsOf(feature), below);
  }
}

/** Returns the features of the struct's fields, or an empty list if the feature is not a struct. */
function fieldsOf({ domainInfo }: Feature): Feature[] {
  return domainInfo.case === "structDomain" ? domainInfo.value.feature : [];
}
