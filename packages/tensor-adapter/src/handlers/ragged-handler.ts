import { flatValues, type NumberArray } from "@tfxio/arrow-encoding";
import {
  ColumnPath,
  type TensorRepresentation_RaggedTensor,
  TensorRepresentation_RowPartitionDType,
} from "@tfxio/schema";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { dtypeOf, integerRange } from "../host/dtype.js";
import { pathElements, pathType } from "./ragged-path.js";
import { dividedRowSplits, type RowLengths, rowPartitions } from "../rows/row-partitions.js";
import { assertNoNull, noHandler, type TensorHandler } from "./tensor-handler.js";
import { RaggedTensorSpec } from "../type-spec.js";

/**
 * Creates the handler for lists of any depth. A path leads to the lists through structs and other lists. Partitions, which are
 * row-length columns or uniform lengths, may subdivide the lists. Values and row splits are views of the batch where possible;
 * `reasonsToCopy` lists the exceptions, such as row splits that a partition subdivides. Null rows become empty rows.
 * @throws {ConversionError} `not-convertible` (`no-handler`) if the path or a partition does not fit the schema.
 */
export function raggedHandler(
  { featurePath, rowPartitionDtype, partition }: TensorRepresentation_RaggedTensor,
  schema: ArrowSchema,
): TensorHandler {
  const steps = featurePath?.step ?? [];
  const path = steps.join(".");
  const { leaf, numLists, numListsOfLastStep } = pathType(schema, steps);
  const dtype = dtypeOf(leaf);
  if (dtype === undefined)
    throw noHandler(`Path "${path}" must end in numbers or bytes, found ${leaf}.`, path);
  if (numLists === 0)
    throw noHandler(`Path "${path}" has no list; a ragged tensor needs at least one.`, path);
  const partitions = rowPartitions(partition, path);
  const lengthPaths = partitions.ragged.flatMap((each) =>
    each.kind === "row-length" ? [[...steps.slice(0, -1), each.columnName]] : [],
  );
  for (const lengthPath of lengthPaths) {
    assertRowLengths(schema, lengthPath);
    if (numListsOfLastStep !== 1) {
      throw noHandler(
        `Row lengths can divide only one level of lists, but the last step of path "${path}" has ${numListsOfLastStep}.`,
        path,
      );
    }
  }
  const rowSplitsDtype =
    rowPartitionDtype === TensorRepresentation_RowPartitionDType.INT32 ? "int32" : "int64";
  const raggedRank = numLists + partitions.ragged.length;
  const { innerShape } = partitions;
  const shape = [null, ...Array<null>(raggedRank).fill(null), ...innerShape];
  return {
    typeSpec: new RaggedTensorSpec(shape, dtype, raggedRank, rowSplitsDtype),
    sourceColumns: [steps, ...lengthPaths].map((each) => new ColumnPath(each)),
    toHost: (batch) => {
      const found = pathElements(batch, steps);
      assertNoNull(found.leaf, found.nestedRowSplits, path);
      const outer = found.nestedRowSplits.slice(0, -1);
      const innermost = found.nestedRowSplits.at(-1) as Int32Array;
      const divided = dividedRowSplits(innermost, outer, partitions, path, (columnName) =>
        rowLengthsOf(batch, [...steps.slice(0, -1), columnName]),
      );
      const { values, borrowed } = flatValues(found.leaf);
      return {
        kind: "ragged",
        dtype,
        values,
        nestedRowSplits: [...outer, ...divided],
        innerShape,
        rowSplitsDtype,
        borrowed: borrowed || found.borrowed,
      };
    },
  };
}

function assertRowLengths(schema: ArrowSchema, steps: readonly string[]): void {
  const path = steps.join(".");
  const { leaf, numListsOfLastStep } = pathType(schema, steps);
  const dtype = dtypeOf(leaf);
  if (numListsOfLastStep !== 1 || dtype === undefined || integerRange(dtype) === undefined) {
    throw noHandler(`The row-length column "${path}" must have one level of lists of integers.`, path);
  }
}

function rowLengthsOf(batch: RecordBatch, steps: readonly string[]): RowLengths {
  const columnPath = steps.join(".");
  const { leaf, nestedRowSplits } = pathElements(batch, steps);
  assertNoNull(leaf, nestedRowSplits, columnPath);
  return {
    columnPath,
    rowSplits: nestedRowSplits.at(-1) as Int32Array,
    lengths: flatValues(leaf).values as NumberArray,
  };
}
