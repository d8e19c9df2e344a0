import type { ByteSource } from "@tfxio/wire";
import { createBlockFeed } from "./block-feed.js";
import { createFramedFeed, framedPairOf } from "./framed-feed.js";
import type { FeedParts, RecordFeed } from "./record-feed.js";

/** The records of one source in file order: framed, where container and session agree on a framing, else in blocks. */
export function createRecordFeed<Options extends object>(
  source: ByteSource,
  parts: FeedParts<Options>,
): RecordFeed {
  const pair = parts.rowColumns === undefined ? framedPairOf(parts) : undefined;
  return pair === undefined ? createBlockFeed(source, parts) : createFramedFeed(source, parts.context, pair);
}
