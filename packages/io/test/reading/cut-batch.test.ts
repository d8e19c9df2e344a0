import { describe, expect, test } from "@jest/globals";
import type { ReadProgress } from "@tfxio/format";
import { progressWithin } from "../../src/reading/cut-batch.js";

const at = (row: number, numRows: number): ReadProgress => ({
  position: { row },
  numRows,
  numBytes: 10 * row,
  numSkipped: 0,
});

describe("the progress after a part of a batch", () => {
  test("is the progress after the whole batch minus the remaining rows", () => {
    expect(progressWithin(at(5, 5), at(9, 9), 3, 4)).toEqual({ ...at(9, 8), position: { row: 8 } });
    expect(progressWithin(at(5, 5), at(9, 9), 4, 4)).toEqual(at(9, 9));
  });

  test("is the progress before the batch if the format dropped rows, even in the first batch", () => {
    // The format read rows 0 to 8 and dropped five of them, but which ones is unknown.
    expect(progressWithin(at(0, 0), at(9, 4), 3, 4)).toEqual(at(0, 0));
  });
});
