import { type ColumnPath, type Feature, FeatureType, type Schema } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { type ColumnsPlan, type ExampleColumnPlan, FeatureKind } from "@tfxio/wire/kernels";

/** The options that determine a decoder's columns. @see {@link ExampleDecoderOptions} */
export interface ExampleColumnOptions {
  readonly schema?: Schema | undefined;
  readonly columns?: readonly ColumnPath[] | undefined;
  readonly unlisted?: "drop" | "error" | undefined;
}

/**
 * Returns the column-selection part of a kernel's plan. Throws the errors of {@link planListed}, and `unknown-column` for a path
 * that does not have exactly one step.
 */
export function planExampleColumns(options: ExampleColumnOptions): ColumnsPlan {
  const { schema, columns, unlisted } = options;
  const wanted = columns?.map(featureName);
  if (schema === undefined) return wanted === undefined ? {} : { only: [...new Set(wanted)] };
  return planListed(schema.feature, wanted, unlisted, "the schema");
}

/**
 * Plans the columns of `features`. For a repeated name, the first feature is used.
 * @param wanted Names of the requested columns. Undefined requests all.
 * @param place The name of the list of features in error messages, such as `the schema`.
 * @throws {SchemaError} `schema-invalid` (`bad-schema-type`) for a feature whose type is not BYTES, INT or FLOAT.
 *   `schema-mismatch` (`unknown-column`) for a requested column without a feature.
 */
export function planListed(
  features: readonly Feature[],
  wanted: readonly string[] | undefined,
  unlisted: "drop" | "error" | undefined,
  place: string,
): ColumnsPlan {
  const listed = new Map<string, ExampleColumnPlan>();
  for (const feature of features) {
    const column = { name: feature.name, kind: kindOf(feature) };
    if (!listed.has(feature.name)) listed.set(feature.name, column);
  }
  for (const name of wanted ?? []) if (!listed.has(name)) throw unknownColumn(name, place);
  const names = wanted === undefined ? undefined : new Set(wanted);
  const isWanted = ({ name }: ExampleColumnPlan): boolean => names === undefined || names.has(name);
  const columns = [...listed.values()];
  return {
    columns: columns.filter(isWanted),
    ignored: columns.filter((column) => !isWanted(column)).map(({ name }) => name),
    unlisted,
  };
}

/** Returns the only step of a path. Throws `unknown-column` for any other number of steps: the columns of Examples are flat. */
function featureName(path: ColumnPath): string {
  const [name] = path.steps;
  if (name === undefined) throw unknownColumn("", "any tf.Example");
  if (path.length > 1)
    throw unknownColumn(path.toString(), "any tf.Example, because columns of tf.Examples are flat");
  return name;
}

/** Creates the error for a requested column that does not exist: `schema-mismatch` (`unknown-column`). */
export function unknownColumn(columnPath: string, place: string): SchemaError {
  return new SchemaError("schema-mismatch", `The requested column "${columnPath}" is not in ${place}.`, {
    reason: "unknown-column",
    columnPath,
  });
}

function kindOf(feature: Feature): ExampleColumnPlan["kind"] {
  switch (feature.type) {
    case FeatureType.BYTES:
      return FeatureKind.bytes;
    case FeatureType.INT:
      return FeatureKind.int64;
    case FeatureType.FLOAT:
      return FeatureKind.float;
    default: {
      const actual = FeatureType[feature.type] ?? String(feature.type);
      throw new SchemaError(
        "schema-invalid",
        `The type of feature "${feature.name}" must be BYTES, INT or FLOAT, found ${actual}.`,
        { reason: "bad-schema-type", columnPath: feature.name, expected: "BYTES, INT or FLOAT", actual },
      );
    }
  }
}
