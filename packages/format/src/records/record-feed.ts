import { ArgumentError, type BatchLimits, type Position, type PushProgress } from "@tfxio/wire";
import type { ContainerContext, PayloadSession, RecordContainer } from "./record-format-parts.js";
import type { RowColumns } from "./row-columns.js";

/** Carries records into a payload session, one batch's worth at a time. */
export interface RecordFeed {
  /** Pushes records until the session's batch is full (true) or the records end (false). */
  fillBatch(limits: BatchLimits): Promise<boolean>;
  /** Position of the next record. */
  position(): Position;
  /** Uncompressed bytes consumed so far. */
  numBytes(): number;
  /** Adds the place of the record to an error that occurs when a batch is finished. Absent: the session adds places itself. */
  placed?(error: unknown): unknown;
  close(): Promise<void>;
}

/** The parts that a feed connects. */
export interface FeedParts<Options extends object> {
  readonly container: RecordContainer<Options>;
  readonly context: ContainerContext<Options>;
  readonly session: PayloadSession;
  /** Columns with the origin of each row; absent unless requested. */
  readonly rowColumns?: RowColumns | undefined;
}

/** Without this check, a batch that is full without rows, or a record that is never taken, would cause an endless loop. */
export function assertAdvanced(
  { consumed, isFull }: PushProgress,
  session: PayloadSession,
  uri: string,
): void {
  if (consumed > 0 || (isFull && session.numRows > 0)) return;
  throw new ArgumentError(
    "invalid-argument",
    `The payload's session accepts no record of ${uri}, even when it is empty.`,
    {
      reason: "format-output",
      argument: "payload",
    },
  );
}
