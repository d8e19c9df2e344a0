import { describe, expect, test } from "@jest/globals";
import type { ColumnSummary, DataSummary } from "../src/read-all.js";
import { taskFor } from "../src/task.js";

const inputs = { tensorNames: ["length"] } as unknown as Parameters<typeof taskFor>[1];

/** Creates the summary of ten rows with integer labels from `min` to `max`. */
function data(min: number, max: number): DataSummary {
  const column: ColumnSummary = {
    type: "List<Int64>",
    numRows: 10,
    numNulls: 0,
    numEmpty: 0,
    numValues: 10,
    mean: (min + max) / 2,
    min,
    max,
  };
  return { columns: new Map([["species", column]]) } as unknown as DataSummary;
}

describe("the task for a label", () => {
  test("has a class for each number from 0 to the largest label, and at least two classes", () => {
    expect(taskFor("species", inputs, data(0, 2))).toMatchObject({ numClasses: 3 });
    expect(taskFor("species", inputs, data(0, 0))).toMatchObject({ numClasses: 2 });
  });

  test.each([
    [-1, 2],
    [0, 1000],
  ])("is rejected for values from %d to %d, which are not all class indices", (min, max) => {
    expect(() => taskFor("species", inputs, data(min, max))).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "label" }),
    );
  });
});
