import { ArgumentError } from "@tfxio/wire";
import type { ModelInputs } from "./model-inputs.js";
import type { DataSummary } from "./read-all.js";
import type { Task } from "./train.js";

/** Maximum number of classes. An integer of at least this size is probably a count or an id, not a class. */
const MAX_CLASSES = 1000;

/**
 * Returns the task of predicting `label` from the chosen inputs.
 * @throws {ArgumentError} `invalid-argument` if the label is not one class number in each row, or if there are no inputs.
 */
export function taskFor(label: string, { tensorNames }: ModelInputs, { columns }: DataSummary): Task {
  const column = columns.get(label);
  if (column === undefined)
    throw unfit(label, `must be one of the features ${[...columns.keys()].join(", ")}`);
  if (!column.type.includes("Int64")) throw unfit(label, `must have integers, found type ${column.type}`);
  if (column.numValues !== column.numRows || column.numNulls + column.numEmpty > 0) {
    throw unfit(
      label,
      `must have one value in each row, found ${column.numValues} values in ${column.numRows} rows, ` +
        `of which ${column.numNulls + column.numEmpty} have none`,
    );
  }
  if (column.min < 0 || column.max >= MAX_CLASSES) {
    throw unfit(
      label,
      `must have classes from 0 to ${MAX_CLASSES - 1}, found values from ${column.min} to ${column.max}`,
    );
  }
  if (tensorNames.length === 0)
    throw unfit(
      label,
      "cannot be predicted, because no other feature has a fixed number of numeric values in each row",
    );
  return { label, inputs: tensorNames, numClasses: Math.max(2, column.max + 1) };
}

function unfit(label: string, problem: string): ArgumentError {
  return new ArgumentError("invalid-argument", `label "${label}" ${problem}`, { argument: "label" });
}
