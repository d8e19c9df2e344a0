import { type ByteSource, UnsupportedError } from "@tfxio/wire";
import type { Split, SplitRows } from "../read-plan.js";
import { createNumberedFeed } from "./numbered-feed.js";
import { readRecords } from "./read-records.js";
import type { ContainerContext, PayloadPlan, RecordContainer } from "./record-format-parts.js";
import type { RowColumns } from "./row-columns.js";

/** The parts of a reader that {@link openNumberedRows} needs. */
export interface NumberedReading<Options extends object> {
  readonly container: RecordContainer<Options>;
  readonly context: ContainerContext<Options>;
  readonly plan: PayloadPlan;
  /** Creates the row columns of one read; undefined if none are requested. */
  readonly rowColumns: () => RowColumns | undefined;
  readonly batchLimits: { readonly batchSize: number; readonly batchBytes: number };
}

/**
 * Opens the records of a source as rows that can be read by number.
 * @throws {UnsupportedError} `unsupported` (`no-random-access`) if records may be skipped. Errors of the container are thrown
 *   unchanged.
 */
export async function openNumberedRows<Options extends object>(
  source: ByteSource,
  split: Split,
  { container, context, plan, rowColumns, batchLimits }: NumberedReading<Options>,
): Promise<SplitRows> {
  const { uri } = source;
  if (container.index === undefined || plan.skipsRecords === true) {
    throw new UnsupportedError(
      `Reading rows of ${uri} by number requires every record to be a row, so damaged records must not be skipped.`,
      { feature: "random access with skipped records", reason: "no-random-access" },
    );
  }
  const index = await container.index(source, context);
  const place = { uri, splitIndex: split.index };
  return {
    numRows: index.numRecords,
    read(numbers, { signal } = {}) {
      const session = plan.createSession();
      const columns = rowColumns();
      const parts = { session, rowColumns: columns, context: { ...context, signal } };
      return readRecords(() => createNumberedFeed(index, numbers, place, parts), {
        session,
        finish: () => columns?.appendTo(session.finish()) ?? session.finish(),
        ...batchLimits,
      });
    },
  };
}
