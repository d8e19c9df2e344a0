import { ColumnPath, type Feature, FeatureType, type Schema } from "@tfxio/schema";
import { ScalarType } from "@bufbuild/protobuf";
import { SchemaError } from "@tfxio/wire";
import { entryField } from "./message-shape.js";
import { type ColumnChoice, selectColumns } from "./select-columns.js";
import type { SelectedField, SelectedMessage } from "./selection.js";

export interface SchemaChoice extends ColumnChoice {
  readonly schema: Schema;
  /** Treatment of a column that the schema does not list: `drop` leaves it out, `error` throws `unlisted-feature`. */
  readonly unlisted: "drop" | "error";
}

/**
 * Selects the columns that a schema lists, in its order and with the types of the message fields. `columns` limits the selection.
 * A feature may also be named after a map key, a cast or an extension.
 * @throws {SchemaError} `schema-mismatch`: `unknown-column` for a feature that the message cannot have, or a column that the
 *   schema lacks; `wrong-kind`; `unlisted-feature`.
 * @throws {ArgumentError} `invalid-argument`, as {@link selectColumns} does.
 */
export function selectBySchema({ schema, unlisted, ...choice }: SchemaChoice): SelectedMessage {
  const features = schema.feature;
  for (const path of choice.columns ?? []) assertListed(path, features);
  const asked = selectColumns({ ...choice, columns: choice.columns ?? pathsOf(features, ColumnPath.of()) });
  if (unlisted === "error") {
    const all = choice.columns === undefined ? selectColumns(choice) : asked;
    rejectUnlisted(all, features, ColumnPath.of());
  }
  return inOrder(asked, features, ColumnPath.of());
}

/** Returns the paths of the leaf features. A struct for which the schema lists no fields is a leaf too. */
function pathsOf(features: readonly Feature[], prefix: ColumnPath): readonly ColumnPath[] {
  return firstOfName(features).flatMap((feature) => {
    const path = prefix.child(feature.name);
    const below = fieldsOf(feature);
    return below.length === 0 ? [path] : pathsOf(below, path);
  });
}

/** Sorts the selected fields into the order of the features, drops fields without a feature, and checks the types. */
function inOrder(
  { type, fields }: SelectedMessage,
  features: readonly Feature[],
  path: ColumnPath,
): SelectedMessage {
  const byName = new Map(fields.map((selected) => [selected.name, selected]));
  const listed = firstOfName(features).flatMap((feature) => {
    const selected = byName.get(feature.name);
    if (selected === undefined) return [];
    const below = path.child(feature.name);
    assertKind(selected, feature, below);
    const inner = fieldsOf(feature);
    if (selected.message === undefined || inner.length === 0) return [selected];
    return [{ ...selected, message: inOrder(selected.message, inner, below) }];
  });
  return { type, fields: listed };
}

/**
 * Rejects fields without a feature, at any depth. Fields of a message are not checked if the schema lists none.
 * @throws {SchemaError} `schema-mismatch` (`unlisted-feature`).
 */
function rejectUnlisted(
  { fields, type }: SelectedMessage,
  features: readonly Feature[],
  prefix: ColumnPath,
): void {
  for (const { name, message } of fields) {
    const path = prefix.child(name);
    const feature = features.find((other) => other.name === name);
    if (feature === undefined) {
      throw new SchemaError(
        "schema-mismatch",
        `The schema must have a feature for every column of ${type.typeName}, found none for "${path}".`,
        {
          reason: "unlisted-feature",
          columnPath: path.toString(),
        },
      );
    }
    const inner = fieldsOf(feature);
    if (message !== undefined && inner.length > 0) rejectUnlisted(message, inner, path);
  }
}

/** Asserts that the schema has a feature for a requested column. Fields of a message are not checked if the schema lists none. */
function assertListed(path: ColumnPath, features: readonly Feature[]): void {
  let level = features;
  for (const step of path.steps) {
    const feature = level.find(({ name }) => name === step);
    if (step === "*" || (feature === undefined && level !== features && level.length === 0)) return;
    if (feature === undefined) {
      throw new SchemaError("schema-mismatch", `The schema has no feature for the column "${path}".`, {
        reason: "unknown-column",
        columnPath: path.toString(),
      });
    }
    level = fieldsOf(feature);
  }
}

/** @throws {SchemaError} `schema-mismatch` (`wrong-kind`) if the type of a feature does not fit its field. */
function assertKind({ field, kind, message }: SelectedField, feature: Feature, path: ColumnPath): void {
  const value = kind === "key" ? entryField(field).value : field.value;
  const actual = message || value.kind === "message" ? FeatureType.STRUCT : kindOf(value.scalar);
  if (feature.type === actual) return;
  const [expected, found] = [FeatureType[feature.type], FeatureType[actual]];
  throw new SchemaError(
    "schema-mismatch",
    `The column "${path}" must hold ${expected} according to its feature, found ${found}.`,
    { reason: "wrong-kind", columnPath: path.toString(), expected, actual: found },
  );
}

/** Returns the feature type that a field of this scalar type must have. Bools and enums are INT. */
function kindOf(scalar: ScalarType): FeatureType {
  switch (scalar) {
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return FeatureType.FLOAT;
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return FeatureType.BYTES;
    default:
      return FeatureType.INT;
  }
}

function fieldsOf({ domainInfo }: Feature): readonly Feature[] {
  return domainInfo.case === "structDomain" ? domainInfo.value.feature : [];
}

/** Returns the first feature of each name. Later ones have no effect. */
function firstOfName(features: readonly Feature[]): readonly Feature[] {
  return features.filter(({ name }, index) => features.findIndex((other) => other.name === name) === index);
}
