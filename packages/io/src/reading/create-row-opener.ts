import type { Format, ReadPlan } from "@tfxio/format";
import { ArgumentError } from "@tfxio/wire";
import { once } from "../once.js";
import type { DataRequest } from "./data-request.js";
import { type AllRows, openAllRows } from "./open-all-rows.js";

/** The parts of an opened reader that are needed to read its rows by number. */
export interface RowOpening {
  /** True if every pass yields the same rows. */
  readonly isSameAgain: boolean;
  /** Plans the read without `splitBytes`. A format with `randomAccess: "parts"` then divides files into their smallest parts. */
  readonly plan: () => Promise<ReadPlan>;
  /** Aborts when the reader is closed. */
  readonly closing: AbortSignal;
}

/**
 * Returns a function that throws if the rows cannot be read by number, and otherwise returns a second function. The second
 * function opens the rows on its first call, and returns the same opened rows on every later call.
 * @throws {ArgumentError} `invalid-argument` (`no-random-access`), from the returned function. The second function throws the
 *   errors of {@link openAllRows}.
 */
export function createRowOpener(
  { id, reads: { randomAccess } }: Pick<Format, "id" | "reads">,
  { filter, sample }: Pick<DataRequest, "filter" | "sample">,
  { isSameAgain, plan, closing }: RowOpening,
): () => () => Promise<AllRows> {
  const open = once(async () => openAllRows(await plan(), randomAccess ?? "rows", closing));
  return () => {
    if (randomAccess === undefined) throw noRandomAccess(`the format ${id} can only read rows in order`);
    if (!isSameAgain) throw noRandomAccess("a stream can only be read in order");
    if (filter !== undefined)
      throw noRandomAccess("the rows that a filter keeps are known only after reading them");
    if (sample !== undefined)
      throw noRandomAccess("the rows of one part of a split are known only after reading them");
    return open;
  };
}

function noRandomAccess(problem: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `shuffle: "all" needs rows that can be read in any order, but ${problem}; use shuffle: true instead.`,
    { argument: "shuffle", reason: "no-random-access" },
  );
}
