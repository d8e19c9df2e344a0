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
  /** Fraction of the rows for validation, above 0 and below 1. */
  readonly validation: number;
  /** Fraction of the rows for a test set. The validation set is the same with and without a test set. Default: no test set. */
  readonly test?: number | undefined;
  /**
   * Integer from 0 to 2^32 - 1. Different seeds select different rows. Default 0, so a split without a seed is the same in every
   * run.
   */
  readonly seed?: number | undefined;
  /**
   * Column whose values assign each row to a part, such as a user id. Rows with equal values stay together. A string is the name
   * of a top-level column. Default: rows are assigned by the URI of their file and their position in that file.
   */
  readonly by?: string | ColumnPath | undefined;
}

const aShare = rule(
  "a fraction above 0 and below 1",
  (value) => typeof value === "number" && value > 0 && value < 1,
);

const SPLIT_RULES: OptionRules<SplitOptions> = {
  validation: required(aShare),
  test: aShare,
  seed: anInteger(0, 2 ** 32 - 1),
  by: aColumn,
};

/**
 * Divides `request` into two or three requests. Each row belongs to exactly one of these requests.
 * @throws {ArgumentError} `invalid-argument`.
 * @throws {UnsupportedError} `unsupported` for a request that is already part of a split; with reason `undeclared-request`
 *   for a format without row positions, unless `by` names a column.
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
    throw unusableArgument(
      "test",
      `and validation must add up to less than 1, found ${heldOut}: no rows would remain for training`,
    );
  if (request.sample !== undefined) {
    throw new UnsupportedError(
      "A part of a split cannot be split again; set validation and test in one split.",
      {
        feature: "splitting a split",
      },
    );
  }
  if (by === undefined && !hasRowPositions) {
    throw new UnsupportedError(
      'A split without the option "by" needs row positions, which this format does not provide; set "by" to a column.',
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
