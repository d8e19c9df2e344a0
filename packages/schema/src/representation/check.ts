import { SchemaError, type TfxioError } from "@tfxio/wire";
import { ColumnPath } from "../column-path.js";
import { type FeatureLookup, featureLookup, leafFeatures } from "../features.js";
import {
  FeatureType,
  type Schema,
  type TensorRepresentation,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { badDefaultError, defaultValueMismatch } from "./default-value.js";
import { DEFAULT_REPRESENTATION_GROUP, getTensorRepresentationsFromSchema } from "./representations.js";
import { getSourceColumns } from "./source-columns.js";
import { assertSchema } from "../argument-rules.js";

/**
 * A problem that {@link checkTensorRepresentations} reports. Its kind is one of:
 * - `no-group`: the schema has no representation group of the requested name;
 * - `missing-column`: a tensor reads a column that is not a leaf feature of the schema;
 * - `unused-feature`: no tensor reads the feature;
 * - `bad-default`: the kind of the default value does not match the feature's type;
 * - `contradiction`: the representation is incomplete or invalid, or contradicts the types of its columns.
 */
export interface RepresentationFinding {
  readonly kind: "no-group" | "missing-column" | "unused-feature" | "bad-default" | "contradiction";
  /** Absent for `no-group` and `unused-feature`. */
  readonly tensorName?: string | undefined;
  /** The column or feature that the problem concerns; absent if it concerns none in particular. */
  readonly columnPath?: ColumnPath | undefined;
  readonly message: string;
}

/**
 * Returns the problems in a group of explicit representations; empty if there are none.
 */
export function checkTensorRepresentations(
  schema: Schema,
  group: string = DEFAULT_REPRESENTATION_GROUP,
): readonly RepresentationFinding[] {
  assertSchema(schema);
  const representations = getTensorRepresentationsFromSchema(schema, group);
  if (representations === undefined) {
    return [{ kind: "no-group", message: `The schema has no tensor representation group "${group}".` }];
  }
  const leaves = new Map(leafFeatures(schema.feature).map(({ path }) => [path.toString(), path]));
  const unused = new Map(leaves);
  const find = featureLookup(schema);
  const findings: RepresentationFinding[] = [];
  for (const [tensorName, representation] of representations) {
    for (const columnPath of getSourceColumns(representation)) {
      const key = columnPath.toString();
      unused.delete(key);
      if (leaves.has(key)) continue;
      const message = `Tensor "${tensorName}" reads "${key}", which is not in the schema or is a struct.`;
      findings.push({ kind: "missing-column", tensorName, columnPath, message });
    }
    findings.push(...contradictions(find, tensorName, representation));
  }
  for (const [key, columnPath] of unused) {
    findings.push({
      kind: "unused-feature",
      columnPath,
      message: `No tensor reads the feature "${key}".`,
    });
  }
  return findings;
}

/**
 * Throws if {@link checkTensorRepresentations} finds a problem. The error lists all problems of one kind. If there are several
 * kinds, it lists the kind that comes first in this order: no group, missing columns, bad defaults, contradictions, unused
 * features.
 * @throws {SchemaError} `schema-invalid` with reason `validation` (no group, missing columns, unused features),
 *   `bad-default`, or `representation` (contradictions).
 * @see tfx_bsl `ValidateTensorRepresentationsInSchema`, which checks only for missing columns and unused features
 */
export function validateTensorRepresentationsInSchema(schema: Schema, group?: string): void {
  const findings = checkTensorRepresentations(schema, group);
  for (const kind of [
    "no-group",
    "missing-column",
    "bad-default",
    "contradiction",
    "unused-feature",
  ] as const) {
    const ofKind = findings.filter((finding) => finding.kind === kind);
    if (ofKind.length > 0) throw findingsError(kind, ofKind);
  }
}

/** Combines findings of one kind into one error. Its `columnPath` is taken from the first finding. */
function findingsError(
  kind: RepresentationFinding["kind"],
  findings: readonly RepresentationFinding[],
): TfxioError {
  const message = findings.map((finding) => finding.message).join(" ");
  const columnPath = findings[0]?.columnPath?.toString();
  if (kind === "bad-default") return badDefaultError(message, columnPath);
  return new SchemaError("schema-invalid", message, {
    reason: kind === "contradiction" ? "representation" : "validation",
    columnPath,
  });
}

/** Returns the `contradiction` and `bad-default` findings of one tensor. */
function contradictions(
  find: FeatureLookup,
  tensorName: string,
  representation: TensorRepresentation,
): readonly RepresentationFinding[] {
  const { kind } = representation;
  const findings: RepresentationFinding[] = [];
  // `as` is the kind of the finding.
  const report = (
    problem: string,
    columnPath?: ColumnPath,
    as: RepresentationFinding["kind"] = "contradiction",
  ): void => {
    findings.push({ kind: as, tensorName, columnPath, message: `Tensor "${tensorName}": ${problem}.` });
  };
  const expectInteger = (columnPath: ColumnPath, role: string): void => {
    const type = find(columnPath)?.type;
    if (type !== undefined && type !== FeatureType.INT) {
      report(
        `its ${role} "${columnPath.toString()}" has the type ${FeatureType[type]}, expected INT`,
        columnPath,
      );
    }
  };
  switch (kind.case) {
    case "denseTensor": {
      const { columnName, shape, defaultValue } = kind.value;
      const columnPath = ColumnPath.of(columnName);
      if (shape?.dim.some(({ size }) => size < 0n)) report("its shape has a negative size", columnPath);
      const feature = find(columnPath);
      const problem = feature && defaultValue && defaultValueMismatch(defaultValue, feature.type);
      if (problem !== undefined) report(problem, columnPath, "bad-default");
      break;
    }
    case "sparseTensor": {
      const { denseShape, indexColumnNames, valueColumnName } = kind.value;
      const rank = denseShape?.dim.length ?? indexColumnNames.length;
      if (rank !== indexColumnNames.length) {
        report(
          `it must have one index column for each dimension, found ${indexColumnNames.length} index columns and ${rank} dimensions`,
          ColumnPath.of(valueColumnName),
        );
      }
      for (const name of indexColumnNames) expectInteger(ColumnPath.of(name), "index column");
      break;
    }
    case "raggedTensor": {
      const [valuePath = ColumnPath.of(), ...rowLengths] = getSourceColumns(representation);
      if (valuePath.length === 0) report("its feature_path is empty");
      for (const path of rowLengths) expectInteger(path, "row length column");
      for (const { kind: partition } of kind.value.partition) {
        if (partition.case === undefined) report("a partition has no kind", valuePath);
        if (partition.case === "uniformRowLength" && partition.value <= 0n) {
          report(
            `a partition has the uniform row length ${partition.value}, expected more than 0`,
            valuePath,
          );
        }
      }
      break;
    }
    case "varlenSparseTensor":
      break;
    case undefined:
      report("its representation has no kind");
  }
  return findings;
}
