import { temporalValue, type TemporalValue } from "@tfxio/arrow-encoding";
import { type ColumnPath, type Feature, FeatureType, type Schema } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import type { CsvColumnType, CsvOptions } from "../options.js";

/** A column of a schema or a file. */
export interface CsvColumn {
  readonly name: string;
  /** `"null"` if no type is known, for example because all examined cells were null. */
  readonly type: CsvColumnType | "null";
  readonly isInferred: boolean;
  /** Converts dates, times or booleans in an integer column. Absent if the feature declares none of them. */
  readonly integerOf?: TemporalValue | undefined;
  readonly isMultivalent: boolean;
  /** True for a column outside the schema. It is in no batch, and a value in it is an error. */
  readonly isUnlisted: boolean;
}

export interface ChosenColumns {
  readonly columns: readonly CsvColumn[];
  /** Columns that were not requested. */
  readonly others: readonly CsvColumn[];
}

/** The part of a request that determines the columns. */
export interface ColumnRequest {
  readonly columns?: readonly ColumnPath[] | undefined;
  readonly schema?: Schema | undefined;
}

/**
 * Returns the columns of a schema, in the schema's order.
 * @throws {SchemaError} `schema-invalid` (`bad-schema-type`); `schema-mismatch` (`unknown-column`, `type-option`,
 *   `not-a-subset`).
 */
export function schemaColumns(
  schema: Schema,
  { columns }: ColumnRequest,
  options: CsvOptions,
): ChosenColumns {
  const listed = new Map<string, CsvColumn>();
  for (const feature of schema.feature) {
    const type = typeOfFeature(feature);
    const column = {
      ...columnOf(feature.name, type, options),
      ...(type === "int" && { integerOf: integerOf(feature) }),
    };
    const given = typeOption(options, feature.name);
    if (given !== undefined && given !== column.type) {
      throw new SchemaError(
        "schema-mismatch",
        `Column "${feature.name}" is ${column.type} in the schema, but ${given} in the option \`types\`.`,
        { reason: "type-option", columnPath: feature.name, expected: column.type, actual: given },
      );
    }
    if (!listed.has(feature.name)) listed.set(feature.name, column);
  }
  const { columnNames } = options;
  const absent = columnNames && [...listed.keys()].find((name) => !columnNames.includes(name));
  if (typeof absent === "string") {
    throw new SchemaError(
      "schema-mismatch",
      `columnNames does not include "${absent}", which the schema lists.`,
      {
        reason: "not-a-subset",
        columnPath: absent,
      },
    );
  }
  return wantedOf(listed, columns, "the schema");
}

/**
 * Returns the columns of a file, in the file's order, with given or inferred types.
 * @param inferred Inferred types, by name.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`).
 */
export function fileColumns(
  { names, uri }: { readonly names: readonly string[]; readonly uri: string },
  { columns }: ColumnRequest,
  options: CsvOptions,
  inferred: ReadonlyMap<string, CsvColumn["type"]>,
): ChosenColumns {
  const listed = new Map(
    names.map((name) => {
      const given = typeOption(options, name);
      const type = given ?? inferred.get(name) ?? "null";
      return [name, { ...columnOf(name, type, options), isInferred: given === undefined }];
    }),
  );
  const { types, multivalentColumns } = options;
  for (const name of [...Object.keys(types), ...multivalentColumns]) {
    if (!listed.has(name)) throw unknownColumn(name, "the file", uri);
  }
  return wantedOf(listed, columns, "the file", uri);
}

/**
 * Returns the names whose types must be inferred. With `onBadCell: "skip-row"`, includes unrequested columns, because a bad cell
 * in any column drops its row.
 */
export function namesToInfer(
  names: readonly string[],
  { columns }: ColumnRequest,
  options: CsvOptions,
): readonly string[] {
  const wanted = options.onBadCell === "skip-row" ? undefined : columns && new Set(columns.map(nameOf));
  return names.filter((name) => typeOption(options, name) === undefined && wanted?.has(name) !== false);
}

/** Returns a column of the file that the schema does not list. */
export function unlistedColumn(name: string): CsvColumn {
  return { name, type: "null", isInferred: false, isMultivalent: false, isUnlisted: true };
}

/** Returns the error for an unknown column in the request, in `types` or in `multivalentColumns`. */
function unknownColumn(columnPath: string, place: string, uri: string | undefined): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `The column "${columnPath}", which the request or an option names, is not in ${place}.`,
    {
      reason: "unknown-column",
      columnPath,
      uri,
    },
  );
}

function columnOf(name: string, type: CsvColumn["type"], { multivalentColumns }: CsvOptions): CsvColumn {
  return {
    name,
    type,
    isInferred: false,
    isMultivalent: multivalentColumns.includes(name),
    isUnlisted: false,
  };
}

function typeOption({ types }: CsvOptions, name: string): CsvColumnType | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined;
}

function wantedOf(
  listed: ReadonlyMap<string, CsvColumn>,
  columns: readonly ColumnPath[] | undefined,
  place: string,
  uri?: string,
): ChosenColumns {
  const all = [...listed.values()];
  if (columns === undefined) return { columns: all, others: [] };
  const wanted = new Set(columns.map(nameOf));
  for (const path of columns) {
    if (path.length !== 1 || !listed.has(nameOf(path))) throw unknownColumn(path.toString(), place, uri);
  }
  return {
    columns: all.filter(({ name }) => wanted.has(name)),
    others: all.filter(({ name }) => !wanted.has(name)),
  };
}

function nameOf({ steps }: ColumnPath): string {
  return steps[0] ?? "";
}

/**
 * Returns a function that converts the text of a boolean, date or time to an integer. The function accepts text as the CSV writer
 * writes it. Returns undefined for a feature that declares none of the three.
 */
function integerOf(feature: Feature): TemporalValue | undefined {
  if (feature.domainInfo.case !== "boolDomain") return temporalValue(feature);
  return (text) => (text === "true" ? 1n : text === "false" ? 0n : undefined);
}

function typeOfFeature({ name, type }: Feature): CsvColumnType {
  switch (type) {
    case FeatureType.INT:
      return "int";
    case FeatureType.FLOAT:
      return "float";
    case FeatureType.BYTES:
      return "bytes";
    default: {
      const actual = FeatureType[type] ?? String(type);
      throw new SchemaError(
        "schema-invalid",
        `Feature "${name}" has type ${actual}, but CSV columns hold only BYTES, INT or FLOAT.`,
        { reason: "bad-schema-type", columnPath: name, expected: "BYTES, INT or FLOAT", actual },
      );
    }
  }
}
