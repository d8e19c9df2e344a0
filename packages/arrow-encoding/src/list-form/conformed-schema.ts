import { type Feature, FeatureType, type Schema } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import {
  Binary,
  type DataType,
  Field,
  Float32,
  Int64,
  List,
  Schema as ArrowSchema,
  Struct,
} from "apache-arrow";
import { aSchema } from "../argument-rules.js";

/**
 * Returns the Arrow schema of the batches that `conformBatch` creates for a TFMD schema. If the schema has neither structs nor
 * `value_counts`, decoded tf.Examples have the same Arrow schema by default. INT is List<Int64>, FLOAT is List<Float32>, and
 * BYTES is List<Binary>. A feature with `value_counts` has one list level for each of them. STRUCT is a struct, in a list if it
 * has a `value_count`, or in one list level for each of its `value_counts`. All fields are nullable and without metadata. For a
 * repeated name, the first feature is used.
 * @throws {SchemaError} `schema-invalid` (`bad-schema-type`) for a feature without a type.
 */
export function conformedSchema(schema: Schema): ArrowSchema {
  assertArgument("schema", schema, aSchema);
  return new ArrowSchema(conformedFields(schema.feature, ""));
}

/** @param prefix Path of the enclosing struct and a dot, for errors; empty for top-level features. */
function conformedFields(features: readonly Feature[], prefix: string): Field[] {
  const fields = new Map<string, Field>();
  for (const feature of features) {
    const { name } = feature;
    if (!fields.has(name))
      fields.set(name, new Field(name, conformedType(feature, `${prefix}${name}`), true));
  }
  return [...fields.values()];
}

function conformedType(feature: Feature, path: string): DataType {
  let type = valueType(feature, path);
  for (let level = numLevels(feature); level > 0; level--) type = new List(new Field("item", type, true));
  return type;
}

/** Returns the number of list levels of a feature. Only a STRUCT, or a feature with empty `value_counts`, can have none. */
function numLevels({ type, shapeType }: Feature): number {
  if (shapeType.case === "valueCounts") return shapeType.value.valueCount.length;
  return type === FeatureType.STRUCT && shapeType.case !== "valueCount" ? 0 : 1;
}

function valueType(feature: Feature, path: string): DataType {
  switch (feature.type) {
    case FeatureType.INT:
      return new Int64();
    case FeatureType.FLOAT:
      return new Float32();
    case FeatureType.BYTES:
      return new Binary();
    case FeatureType.STRUCT: {
      const { domainInfo } = feature;
      const children = domainInfo.case === "structDomain" ? domainInfo.value.feature : [];
      return new Struct(conformedFields(children, `${path}.`));
    }
    default: {
      const actual = FeatureType[feature.type] ?? String(feature.type);
      throw new SchemaError(
        "schema-invalid",
        `The type of feature "${path}" must be BYTES, INT, FLOAT or STRUCT, found ${actual}.`,
        {
          reason: "bad-schema-type",
          columnPath: path,
          expected: "BYTES, INT, FLOAT or STRUCT",
          actual,
        },
      );
    }
  }
}
