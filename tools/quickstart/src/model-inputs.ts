import {
  createMessage,
  decodeSchema,
  encodeSchema,
  FeatureType,
  inferTensorRepresentationsFromMixedSchema,
  type Schema,
  setTensorRepresentationsInSchema,
  type TensorRepresentation,
  TensorRepresentationSchema,
} from "@tfxio/schema";
import type { ColumnSummary, DataSummary } from "./read-all.js";

/** The features that are inputs of a dense model, and the reasons why the other features are not. */
export interface ModelInputs {
  /** A copy of the schema in which every input is dense. Inputs that were sparse have a default value. */
  readonly schema: Schema;
  readonly tensorNames: readonly string[];
  readonly unused: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Chooses the inputs of a dense model. Dense numeric features are used unchanged. Varlen sparse numbers become dense, with the
 * column's mean as default, if no row has an empty list or more than one value. Lists of varying length are excluded, and so are
 * strings.
 */
export function chooseInputs(schema: Schema, { columns }: DataSummary, label: string): ModelInputs {
  const completed = decodeSchema(encodeSchema(schema));
  const representations = new Map(inferTensorRepresentationsFromMixedSchema(schema));
  const tensorNames: string[] = [];
  const unused: { name: string; reason: string }[] = [];
  for (const [name, representation] of representations) {
    if (name === label) continue;
    const column = columns.get(columnOf(representation) ?? "");
    const feature = schema.feature.find((each) => each.name === columnOf(representation));
    const reason = unfitness(feature?.type, representation, column);
    if (reason !== undefined) {
      unused.push({ name, reason });
      continue;
    }
    tensorNames.push(name);
    if (representation.kind.case === "denseTensor" || column === undefined) continue;
    const columnName = columnOf(representation) ?? name;
    representations.set(name, withDefault(columnName, feature?.type === FeatureType.INT, column.mean));
  }
  setTensorRepresentationsInSchema(completed, representations);
  return { schema: completed, tensorNames, unused };
}

/** Returns the column of a dense or varlen sparse representation; undefined for other representations. */
function columnOf({ kind }: TensorRepresentation): string | undefined {
  return kind.case === "denseTensor" || kind.case === "varlenSparseTensor"
    ? kind.value.columnName
    : undefined;
}

/** Returns the reason why a feature cannot be an input of a dense model; undefined if it can. */
function unfitness(
  type: FeatureType | undefined,
  { kind }: TensorRepresentation,
  column: ColumnSummary | undefined,
): string | undefined {
  if (type === FeatureType.BYTES) return "strings";
  if (type !== FeatureType.INT && type !== FeatureType.FLOAT) return "not a number";
  if (kind.case === "denseTensor") return undefined;
  if (column === undefined || column.numValues === 0) return "no values";
  const isSingle = column.numEmpty === 0 && column.numValues === column.numRows - column.numNulls;
  return kind.case === "varlenSparseTensor" && isSingle ? undefined : "varying length";
}

/** Returns a dense representation of one value per row. Missing values become the mean, rounded for an integer feature. */
function withDefault(columnName: string, isInteger: boolean, mean: number): TensorRepresentation {
  return createMessage(TensorRepresentationSchema, {
    kind: {
      case: "denseTensor",
      value: {
        columnName,
        shape: { dim: [{ size: 1n }] },
        defaultValue: {
          kind: isInteger
            ? { case: "intValue", value: BigInt(Math.round(mean)) }
            : { case: "floatValue", value: Math.fround(mean) },
        },
      },
    },
  });
}
