import { ArgumentError, type BatchLimits, type Position, type PushProgress } from "@tfxio/wire";
import type { ContainerContext, PayloadSession, RecordContainer } from "./record-format-parts.js";
import type { RowColumns } from "./row-columns.js";

/** Carries records into a payload session, one batch's worth at a time. */
export interface RecordFeed {
  /** Pushes records until the session's batch is full (true) or the records end (false). */
  fillBatch(limits: BatchLimits): Promise<boolean>;
  /** Where the next record begins. */
  position(): Position;
  /** Uncompressed bytes taken so far. */
  numBytes(): number;
  /** An error of finishing a batch, with the place of its record. Absent: the session knows the places itself. */
  placed?(error: unknown): unknown;
  close(): Promise<void>;
}

/** What a feed connects. */
export interface FeedParts<Options extends object> {
  readonly container: RecordContainer<Options>;
  readonly context: ContainerContext<Options>;
  readonly session: PayloadSession;
  /** Columns that tell where rows are from; absent when none is asked for. */
  readonly rowColumns?: RowColumns | undefined;
}

/** A batch that is full without a row would be asked for again and again, as would a record that is never taken. */
export function assertAdvanced(
  { consumed, isFull }: PushProgress,
  session: PayloadSession,
  uri: string,
): void {
  if (consumed > 0 || (isFull && session.numRows > 0)) return;
  throw new ArgumentError("invalid-argument", `The payload's session takes no record of ${uri}.`, {
    reason: "format-output",
    argument: "payload",
  });
}
