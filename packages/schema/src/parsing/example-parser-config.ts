import { SchemaError, UnsupportedError } from "@tfxio/wire";
import {
  FeatureType,
  type TensorRepresentation,
  type TensorRepresentation_DenseTensor,
  type TensorRepresentation_RaggedTensor,
  TensorRepresentation_RowPartitionDType,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { badDefaultError, defaultValueMismatch } from "../representation/default-value.js";
import { dimensionsOf, toSafeNumber } from "../representation/shape.js";
import type {
  FeatureSpec,
  FeatureSpecDType,
  FixedLenFeature,
  RaggedFeature,
  RaggedPartition,
} from "./feature-spec.js";

/**
 * Largest number of elements in a shape with a default value. The limit bounds memory: the default is repeated for each element.
 */
const MAX_DEFAULT_VALUES = 2 ** 24;

/**
 * Returns the parser configuration of one tensor. It corresponds to one value in the `features` dict of `tf.io.parse_example`.
 * @param type The value column's type in the schema.
 * @throws {SchemaError} `schema-invalid`, reason `feature-type` for a type other than INT, FLOAT and BYTES; reason `bad-default`
 *   for a default value of the wrong kind; reason `representation` for any other invalid representation.
 * @throws {UnsupportedError} `unsupported`, reason `feature-path`, for a ragged tensor whose path does not have exactly one step.
 * @see tfx_bsl `CreateTfExampleParserConfig`
 */
export function createTfExampleParserConfig(
  representation: TensorRepresentation,
  type: FeatureType,
): FeatureSpec {
  const dtype = dtypeOf(type);
  const { kind } = representation;
  switch (kind.case) {
    case "denseTensor":
      return fixedLenFeature(kind.value, type, dtype);
    case "varlenSparseTensor":
      return { kind: "VarLenFeature", dtype };
    case "sparseTensor":
      return {
        kind: "SparseFeature",
        dtype,
        indexKeys: [...kind.value.indexColumnNames],
        valueKey: kind.value.valueColumnName,
        size: dimensionsOf(kind.value.denseShape, kind.value.valueColumnName),
        alreadySorted: kind.value.alreadySorted,
      };
    case "raggedTensor":
      return raggedFeature(kind.value, dtype);
    case undefined:
      throw new SchemaError("schema-invalid", "The tensor representation has no kind.", {
        reason: "representation",
      });
  }
}

function dtypeOf(type: FeatureType): FeatureSpecDType {
  switch (type) {
    case FeatureType.INT:
      return "int64";
    case FeatureType.FLOAT:
      return "float32";
    case FeatureType.BYTES:
      return "string";
    default:
      throw new SchemaError(
        "schema-invalid",
        `The feature must be of type INT, FLOAT or BYTES to be parsed, found ${FeatureType[type]}.`,
        {
          reason: "feature-type",
          expected: "INT, FLOAT or BYTES",
          actual: FeatureType[type],
        },
      );
  }
}

/** Returns the configuration of a dense tensor. TensorFlow requires one default value per element, so the default is repeated. */
function fixedLenFeature(
  dense: TensorRepresentation_DenseTensor,
  type: FeatureType,
  dtype: FeatureSpecDType,
): FixedLenFeature {
  const shape = dimensionsOf(dense.shape, dense.columnName);
  if (dense.defaultValue === undefined) return { kind: "FixedLenFeature", dtype, shape, defaultValue: null };

  const problem = defaultValueMismatch(dense.defaultValue, type);
  if (problem !== undefined)
    throw badDefaultError(`Column "${dense.columnName}": ${problem}.`, dense.columnName);
  const numValues = shape.reduce((product, size) => product * size, 1);
  if (shape.some((size) => size < 0) || numValues > MAX_DEFAULT_VALUES) {
    throw new SchemaError(
      "schema-invalid",
      `Column "${dense.columnName}" has a default value, so its shape must have known sizes and at most ` +
        `${MAX_DEFAULT_VALUES} elements, found [${shape.join(", ")}].`,
      { reason: "representation", columnPath: dense.columnName },
    );
  }
  return {
    kind: "FixedLenFeature",
    dtype,
    shape,
    defaultValue: repeated(dense.defaultValue.kind.value, numValues),
  };
}

/** Returns `value` once for each element. Byte arrays are not copied. */
function repeated(
  value: bigint | number | Uint8Array | undefined,
  numValues: number,
): FixedLenFeature["defaultValue"] {
  switch (typeof value) {
    case "bigint":
      return Array.from({ length: numValues }, () => value);
    case "number":
      return Array.from({ length: numValues }, () => value);
    case "object":
      return Array.from({ length: numValues }, () => value);
    default:
      return null;
  }
}

/** Returns the configuration of a ragged tensor. Row lengths are top-level features too, so they need no path. */
function raggedFeature(ragged: TensorRepresentation_RaggedTensor, dtype: FeatureSpecDType): RaggedFeature {
  const [valueKey, ...deeper] = ragged.featurePath?.step ?? [];
  if (valueKey === undefined || deeper.length > 0) {
    throw new UnsupportedError(
      `A ragged tensor can only be parsed from a top-level feature: its feature_path must have 1 step, found ${deeper.length + Number(valueKey !== undefined)}.`,
      { reason: "feature-path", feature: "parsing nested or empty feature paths" },
    );
  }
  return {
    kind: "RaggedFeature",
    dtype,
    valueKey,
    partitions: ragged.partition.map(({ kind }): RaggedPartition => {
      if (kind.case === "rowLength") return { rowLengths: kind.value };
      if (kind.case === "uniformRowLength") {
        return { uniformRowLength: toSafeNumber(kind.value, `A partition of "${valueKey}"`) };
      }
      throw new SchemaError(
        "schema-invalid",
        `A partition of the ragged tensor of "${valueKey}" has no kind.`,
        {
          reason: "representation",
          columnPath: valueKey,
        },
      );
    }),
    rowSplitsDtype:
      ragged.rowPartitionDtype === TensorRepresentation_RowPartitionDType.INT32 ? "int32" : "int64",
  };
}
