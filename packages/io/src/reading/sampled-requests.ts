import { ColumnPath } from "@tfxio/schema";
import { UnsupportedError } from "@tfxio/wire";
import {
  anInteger,
  assertOptions,
  type OptionRules,
  required,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { aColumn } from "../open-rules.js";
import type { DataRequest } from "./data-request.js";

/** Options of {@link Tfxio.split}. */
export interface SplitOptions {
  /** Share of the rows that go to validation: above 0 and below 1. */
  readonly validation: number;
  /** Share of the rows that go to a test set; the validation set stays what it is without one. Default: no test set. */
  readonly test?: number | undefined;
  /** Another seed puts other rows there. Integer from 0 to 2^32 - 1; default 0, so that two programs agree. */
  readonly seed?: number | undefined;
  /**
   * Column whose values decide, such as a user id: rows of equal values stay together. A string is the name of a
   * top-level column. Default: the file and the row's position in it.
   */
  readonly by?: string | ColumnPath | undefined;
}

const aShare = rule(
  "a share above 0 and below 1",
  (value) => typeof value === "number" && value > 0 && value < 1,
);

const SPLIT_RULES: OptionRules<SplitOptions> = {
  validation: required(aShare),
  test: aShare,
  seed: anInteger(0, 2 ** 32 - 1),
  by: aColumn,
};

/**
 * The two or three requests that together read the rows of `request`, each row in one of them.
 * @throws {ArgumentError} `invalid-argument`. {@link UnsupportedError} `unsupported` (`undeclared-request`) for a format
 * without row positions, unless `by` names a column.
 */
export function sampledRequests(
  request: DataRequest,
  options: SplitOptions,
  hasRowPositions: boolean,
): { readonly train: DataRequest; readonly validation: DataRequest; readonly test: DataRequest | undefined } {
  assertOptions("split", options, SPLIT_RULES);
  const { validation, test, seed = 0, by } = options;
  const heldOut = validation + (test ?? 0);
  if (heldOut >= 1)
    throw unusableArgument("test", "leaves no rows to train on: validation and test add up to 1 or more");
  if (request.sample !== undefined) {
    throw new UnsupportedError("A part of a split cannot be split again; choose another share instead.", {
      feature: "splitting a split",
    });
  }
  if (by === undefined && !hasRowPositions) {
    throw new UnsupportedError(
      "This format cannot tell where rows lie in their file; name a column to split by.",
      { feature: "rowPositionColumn", reason: "undeclared-request" },
    );
  }
  const column = typeof by === "string" ? ColumnPath.of(by) : by;
  const sample = { seed, by: column };
  return {
    validation: { ...request, sample: { ...sample, from: 0, to: validation } },
    test:
      test === undefined ? undefined : { ...request, sample: { ...sample, from: validation, to: heldOut } },
    train: { ...request, sample: { ...sample, from: heldOut, to: 1 } },
  };
}
