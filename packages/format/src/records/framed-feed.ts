import { type ByteSource, type FramedWindow, RecordError } from "@tfxio/wire";
import type {
  ContainerContext,
  FramedContainer,
  FramedSession,
  RecordFraming,
} from "./record-format-parts.js";
import { assertAdvanced, type FeedParts, type RecordFeed } from "./record-feed.js";

/** A framing, and a session that supports it. */
export interface FramedPair<Options extends object> {
  readonly framing: RecordFraming<Options>;
  readonly session: FramedSession;
}

/** Returns the framing and the session if the container has a framing that the session supports, otherwise undefined. */
export function framedPairOf<Options extends object>(
  parts: FeedParts<Options>,
): FramedPair<Options> | undefined {
  const { framing } = parts.container as Partial<FramedContainer<Options>>;
  const session = parts.session as FramedSession;
  return framing !== undefined && session.framings?.includes(framing.id) ? { framing, session } : undefined;
}

/** Creates a feed of the framed windows of one source. The session reads framing, checksums and payloads in one pass. */
export function createFramedFeed<Options extends object>(
  source: ByteSource,
  context: ContainerContext<Options>,
  { framing, session }: FramedPair<Options>,
): RecordFeed {
  const framedOptions = framing.framedOptions(context);
  const windows = framing.windows(source, context);
  let window: FramedWindow | null = null;
  let taken = 0;
  let startOffset: number | undefined;
  let endOffset: number | undefined;
  let row = context.from?.row ?? 0;

  const advance = async (): Promise<FramedWindow | null> => {
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
        if (progress.isFull) assertAdvanced(progress, session, source.uri);
        taken += progress.consumed;
        row += progress.numRecords;
        endOffset = current.byteOffset + taken;
        if (progress.isFull) return true;
        if (taken === 0) {
          throw new RecordError(
            "corrupt-record",
            `${current.uri}: a complete ${framing.id} record must begin at byte ${current.byteOffset}, found none.`,
            {
              reason: "framing",
              uri: current.uri,
              recordIndex: row,
              byteOffset: current.byteOffset,
            },
          );
        }
        current = await advance();
      }
      return false;
    },
    position: () => ({ row, detail: endOffset }),
    numBytes: () => (endOffset ?? 0) - (startOffset ?? 0),
    close: () => windows.close(),
  };
}
