import type { Format, ReadPlan } from "@tfxio/format";
import { ArgumentError } from "@tfxio/wire";
import { once } from "../once.js";
import type { DataRequest } from "./data-request.js";
import { type AllRows, openAllRows } from "./open-all-rows.js";

/** The parts of an opened reader that are needed to open rows by number. */
export interface RowOpening {
  /** True if every pass yields the same rows. */
  readonly isSameAgain: boolean;
  /** Plans the read with the smallest possible parts. */
  readonly plan: () => Promise<ReadPlan>;
  /** Aborts when the reader is closed. */
  readonly closing: AbortSignal;
}

/**
 * Returns a function that checks whether the rows can be read by number. That function returns another one, which opens the
 * rows once for all passes.
 * @throws {ArgumentError} `invalid-argument` (`no-random-access`), from the first returned function.
 */
export function createRowOpener(
  { id, reads: { randomAccess } }: Pick<Format, "id" | "reads">,
  { filter, sample }: Pick<DataRequest, "filter" | "sample">,
  { isSameAgain, plan, closing }: RowOpening,
): () => () => Promise<AllRows> {
  const open = once(async () => openAllRows(await plan(), randomAccess ?? "rows", closing));
  return () => {
    if (randomAccess === undefined) throw noRandomAccess(`the format ${id} only reads rows in order`);
    if (!isSameAgain) throw noRandomAccess("a stream can only be read in order");
    if (filter !== undefined) throw noRandomAccess("only reading shows which rows a filter keeps");
    if (sample !== undefined)
      throw noRandomAccess("only reading shows which rows belong to a part of a split");
    return open;
  };
}

function noRandomAccess(problem: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `shuffle: "all" needs rows that can be read in any order, but ${problem}: use shuffle: true.`,
    { argument: "shuffle", reason: "no-random-access" },
  );
}
