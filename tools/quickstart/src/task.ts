import { ArgumentError } from "@tfxio/wire";
import type { ModelInputs } from "./model-inputs.js";
import type { DataSummary } from "./read-all.js";
import type { Task } from "./train.js";

/** Above this, an integer is probably a count or an id, not a class. */
const MAX_CLASSES = 1000;

/**
 * The task of predicting `label` from the chosen inputs.
 * @throws {ArgumentError} `invalid-argument` when the label is not one class number per row, or there are no inputs.
 */
export function taskFor(label: string, { tensorNames }: ModelInputs, { columns }: DataSummary): Task {
  const column = columns.get(label);
  if (column === undefined)
    throw unfit(label, `is not among the features: ${[...columns.keys()].join(", ")}`);
  if (!column.type.includes("Int64")) throw unfit(label, `is ${column.type}, expected integers`);
  if (column.numValues !== column.numRows || column.numNulls + column.numEmpty > 0) {
    throw unfit(label, `has ${column.numValues} values in ${column.numRows} rows, expected one in each`);
  }
  if (column.min < 0 || column.max >= MAX_CLASSES) {
    throw unfit(
      label,
      `has values from ${column.min} to ${column.max}, expected classes from 0 to ${MAX_CLASSES - 1}`,
    );
  }
  if (tensorNames.length === 0) throw unfit(label, "has no numeric features to learn from");
  return { label, inputs: tensorNames, numClasses: Math.max(2, column.max + 1) };
}

function unfit(label: string, problem: string): ArgumentError {
  return new ArgumentError("invalid-argument", `label "${label}" ${problem}`, { argument: "label" });
}
