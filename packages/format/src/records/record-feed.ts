import { ArgumentError, type BatchLimits, type Position, type PushProgress } from "@tfxio/wire";
import type { ContainerContext, PayloadSession, RecordContainer } from "./record-format-parts.js";
import type { RowColumns } from "./row-columns.js";

/** A feed pushes records to a payload session, one batch at a time. */
export interface RecordFeed {
  /** Pushes records to the session. Returns true when the session's batch is full, and false when there are no more records. */
  fillBatch(limits: BatchLimits): Promise<boolean>;
  /** Returns the position of the next record. */
  position(): Position;
  /** Returns the number of uncompressed bytes consumed so far. */
  numBytes(): number;
  /** Adds the location of the record to an error from `finish`. Absent if the session's errors already state their locations. */
  placed?(error: unknown): unknown;
  close(): Promise<void>;
}

/** The container, the session and the context that a feed connects. */
export interface FeedParts<Options extends object> {
  readonly container: RecordContainer<Options>;
  readonly context: ContainerContext<Options>;
  readonly session: PayloadSession;
  /** Collects the columns that hold the origin of each row. Absent unless they are requested. */
  readonly rowColumns?: RowColumns | undefined;
}

/**
 * Checks that a push consumed a record or filled a batch that has rows. Without this check, a faulty payload would cause an
 * endless loop.
 * @throws {ArgumentError} `invalid-argument` (`format-output`).
 */
export function assertAdvanced(
  { consumed, isFull }: PushProgress,
  session: PayloadSession,
  uri: string,
): void {
  if (consumed > 0 || (isFull && session.numRows > 0)) return;
  throw new ArgumentError(
    "invalid-argument",
    `A payload session must consume a record or fill a batch that has rows, but it did neither with the records of ${uri}.`,
    {
      reason: "format-output",
      argument: "payload",
    },
  );
}
