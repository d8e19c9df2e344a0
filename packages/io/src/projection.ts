import { fieldIndex } from "@tfxio/arrow-encoding";
import { ColumnPath, getSourceColumns, type TensorRepresentation } from "@tfxio/schema";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { DataType, Field, Schema as ArrowSchema, Struct } from "apache-arrow";

/** Returns the representations of `tensorNames`, in that order. @throws {ArgumentError} `invalid-argument` (`unknown-tensor`). */
export function projectRepresentations(
  representations: ReadonlyMap<string, TensorRepresentation>,
  tensorNames: readonly string[],
): ReadonlyMap<string, TensorRepresentation> {
  return new Map(
    tensorNames.map((name) => {
      const representation = representations.get(name);
      if (representation === undefined) {
        const known = [...representations.keys()].join(", ") || "none";
        throw new ArgumentError("invalid-argument", `Unknown tensor "${name}"; the TFXIO has ${known}.`, {
          argument: "tensorNames",
          reason: "unknown-tensor",
        });
      }
      return [name, representation];
    }),
  );
}

/** Returns the source columns of `representations` without repetitions, in order of first use. */
export function sourceColumns(representations: ReadonlyMap<string, TensorRepresentation>): ColumnPath[] {
  return distinct(Array.from(representations.values(), getSourceColumns).flat());
}

/** Returns the paths without repetitions, in order of first use. */
export function distinct(paths: readonly ColumnPath[]): ColumnPath[] {
  return [...new Map(paths.map((path) => [path.toString(), path])).values()];
}

/**
 * Returns the Arrow schema of batches that hold only `columns`. Fields keep the order of `schema`, and structs keep only the
 * requested children.
 * @param keep Names of top-level columns to keep in addition to `columns`, such as the raw record column.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a path that the schema lacks.
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
  const pathsIn = byFirstStep(paths);
  for (const step of pathsIn.keys()) {
    if (fieldIndex(fields, step) >= 0) continue;
    const columnPath = [...parents, step].join(".");
    throw new SchemaError("schema-mismatch", `Unknown column "${columnPath}".`, {
      columnPath,
      reason: "unknown-column",
    });
  }
  return fields.flatMap((field) => {
    const inField = pathsIn.get(field.name);
    if (inField === undefined) return [];
    if (inField.some((path) => path.length === 0) || !DataType.isStruct(field.type)) return [field];
    const children = projectFields(field.type.children, inField, [...parents, field.name]);
    return [new Field(field.name, new Struct(children), field.nullable, field.metadata)];
  });
}

/** Groups paths by their first step. Each path in a group lacks that step, so a top-level path becomes an empty list. */
export function byFirstStep(
  paths: readonly (readonly string[])[],
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const pathsIn = new Map<string, (readonly string[])[]>();
  for (const [step = "", ...rest] of paths) {
    const known = pathsIn.get(step);
    if (known === undefined) pathsIn.set(step, [rest]);
    else known.push(rest);
  }
  return pathsIn;
}

/** Returns a function that returns true for every path in `columns`, and for every path nested in one of them. */
export function createPathFilter(columns: readonly ColumnPath[]): (path: ColumnPath) => boolean {
  const keys = new Set(columns.map(String));
  return (path) =>
    keys.has(String(path)) || path.steps.some((_, numSteps) => keys.has(String(path.prefix(numSteps))));
}
