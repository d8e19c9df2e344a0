import {
  ArgumentError,
  type BatchLimits,
  type ByteSource,
  type FramedWindow,
  type Position,
  type PushProgress,
  RecordError,
  type RecordBlock,
} from "@tfxio/wire";
import type {
  ContainerContext,
  PayloadSession,
  RecordContainer,
  RecordFraming,
} from "./record-format-parts.js";

/** Carries records of one source into a payload session, one batch's worth at a time. */
export interface RecordFeed {
  /** Pushes records until the session's batch is full (true) or the source ends (false). */
  fillBatch(limits: BatchLimits): Promise<boolean>;
  /** Where the next record begins. */
  position(): Position;
  /** Uncompressed bytes taken so far. */
  numBytes(): number;
  close(): Promise<void>;
}

/** A feed through the fused path when the session knows the container's framing, else through blocks. */
export function createRecordFeed<Options extends object>(
  container: RecordContainer<Options>,
  source: ByteSource,
  context: ContainerContext<Options>,
  session: PayloadSession,
): RecordFeed {
  const { framing } = container;
  return framing !== undefined && session.pushFramed !== undefined && session.framings.includes(framing.id)
    ? framedFeed(framing, source, context, session as FramedSession)
    : blockFeed(container, source, context, session);
}

type FramedSession = PayloadSession & Required<Pick<PayloadSession, "pushFramed">>;

function framedFeed<Options extends object>(
  framing: RecordFraming<Options>,
  source: ByteSource,
  context: ContainerContext<Options>,
  session: FramedSession,
): RecordFeed {
  const framedOptions = framing.framedOptions(context);
  const windows = framing.windows(source, context);
  let window: FramedWindow | null = null;
  let taken = 0;
  let startOffset: number | undefined;
  let endOffset: number | undefined;
  let recordIndex = context.from?.row ?? 0;

  const advance = async (): Promise<FramedWindow | null> => {
    context.signal?.throwIfAborted();
    window = await windows.next(taken);
    taken = 0;
    startOffset ??= window?.byteOffset;
    return window;
  };

  return {
    async fillBatch(limits) {
      let current = window ?? (await advance());
      while (current !== null) {
        const progress = session.pushFramed(current, taken, limits, framedOptions);
        if (progress.isFull) assertAdvanced(progress, session, source);
        taken += progress.consumed;
        recordIndex += progress.numRecords;
        endOffset = current.byteOffset + taken;
        if (progress.isFull) return true;
        if (taken === 0) {
          throw new RecordError("corrupt-record", `no whole ${framing.id} record where one must begin`, {
            reason: "framing",
            uri: current.uri,
            recordIndex,
            byteOffset: current.byteOffset,
          });
        }
        current = await advance();
      }
      return false;
    },
    position: () => ({ row: recordIndex, detail: endOffset }),
    numBytes: () => (endOffset ?? 0) - (startOffset ?? 0),
    close: () => windows.close(),
  };
}

function blockFeed<Options extends object>(
  container: RecordContainer<Options>,
  source: ByteSource,
  context: ContainerContext<Options>,
  session: PayloadSession,
): RecordFeed {
  let blocks: AsyncIterator<RecordBlock> | undefined;
  let block: RecordBlock | undefined;
  let taken = 0;
  let startOffset: number | undefined;
  let endOffset: number | undefined;
  let recordIndex = context.from?.row ?? 0;

  return {
    async fillBatch(limits) {
      blocks ??= container.blocks(source, context)[Symbol.asyncIterator]();
      for (;;) {
        if (block === undefined || taken === block.numRecords) {
          context.signal?.throwIfAborted();
          const next = await blocks.next();
          if (next.done === true) return false;
          block = next.value;
          taken = 0;
          startOffset ??= block.byteOffset;
          continue;
        }
        const progress = session.push(block, taken, limits);
        assertAdvanced(progress, session, source);
        taken += progress.consumed;
        recordIndex += progress.numRecords;
        if (taken > 0) endOffset = block.byteOffset + (block.ends[taken - 1] ?? 0) + (block.footerBytes ?? 0);
        if (progress.isFull) return true;
      }
    },
    position: () => ({ row: recordIndex, detail: block?.footerBytes === undefined ? undefined : endOffset }),
    numBytes: () => (endOffset ?? 0) - (startOffset ?? 0),
    async close() {
      await blocks?.return?.();
    },
  };
}

/** A batch that is full without a row would be asked for again and again, as would a record that is never taken. */
function assertAdvanced(
  { consumed, isFull }: PushProgress,
  session: PayloadSession,
  { uri }: ByteSource,
): void {
  if (consumed > 0 || (isFull && session.numRows > 0)) return;
  throw new ArgumentError("invalid-argument", `the payload's session takes no record of ${uri}`, {
    reason: "format-output",
    argument: "payload",
  });
}
