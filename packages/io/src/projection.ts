import { ColumnPath, getSourceColumns, type TensorRepresentation } from "@tfxio/schema";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { DataType, Field, Schema as ArrowSchema, Struct } from "apache-arrow";

/** The representations of `tensorNames`, in their order. @throws {ArgumentError} `invalid-argument`. */
export function projectRepresentations(
  representations: ReadonlyMap<string, TensorRepresentation>,
  tensorNames: readonly string[],
): ReadonlyMap<string, TensorRepresentation> {
  return new Map(
    tensorNames.map((name) => {
      const representation = representations.get(name);
      if (representation === undefined) {
        const known = [...representations.keys()].join(", ");
        throw new ArgumentError("invalid-argument", `no tensor is named "${name}"; there are: ${known}`, {
          argument: "tensorNames",
          reason: "unknown-tensor",
        });
      }
      return [name, representation];
    }),
  );
}

/** The columns that `representations` are made of, each once, in order of first use. */
export function sourceColumns(representations: ReadonlyMap<string, TensorRepresentation>): ColumnPath[] {
  return distinct(Array.from(representations.values(), getSourceColumns).flat());
}

/** Each path once, in order of first use. */
export function distinct(paths: readonly ColumnPath[]): ColumnPath[] {
  return [...new Map(paths.map((path) => [path.toString(), path])).values()];
}

/**
 * The Arrow schema of a read that asks for `columns`: their fields in the schema's own order, structs cut down to the
 * children asked for. `keep` names further columns that stay, such as that of raw records.
 * @throws {SchemaError} `schema-mismatch` for a path that the schema lacks.
 */
export function projectArrowSchema(
  schema: ArrowSchema,
  columns: readonly ColumnPath[],
  keep: readonly string[] = [],
): ArrowSchema {
  const paths = columns.map((path) => path.steps);
  for (const name of keep) paths.push([name]);
  return new ArrowSchema(projectFields(schema.fields, paths, []), schema.metadata);
}

function projectFields(
  fields: readonly Field[],
  paths: readonly (readonly string[])[],
  parents: string[],
): Field[] {
  for (const [step = ""] of paths) {
    if (fields.some((field) => field.name === step)) continue;
    const columnPath = [...parents, step].join(".");
    throw new SchemaError("schema-mismatch", `there is no column "${columnPath}"`, {
      columnPath,
      reason: "unknown-column",
    });
  }
  return fields.flatMap((field) => {
    const inField = paths.filter(([step]) => step === field.name).map((path) => path.slice(1));
    if (inField.length === 0) return [];
    if (inField.some((path) => path.length === 0) || !DataType.isStruct(field.type)) return [field];
    const children = projectFields(field.type.children, inField, [...parents, field.name]);
    return [new Field(field.name, new Struct(children), field.nullable, field.metadata)];
  });
}
