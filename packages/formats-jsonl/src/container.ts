import type { RecordContainer } from "@tfxio/format";
import {
  cutsBehind,
  type FindRecords,
  findLines,
  type FoundRecords,
  recordBlocks,
} from "@tfxio/format/containers";
import { type ByteSource, decompressed } from "@tfxio/wire";
import { createElementFinder } from "./framing/find-elements.js";
import { firstPosition } from "./framing/first-byte.js";
import { assertLayoutOptions, type JsonLayoutOptions, LAYOUT_DEFAULTS } from "./options.js";
import { QUOTE } from "./parse/copy-string.js";
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT } from "./parse/skip-value.js";

const LF = 0x0a;
/** Number of bytes to read from the start of a file to detect its layout. */
const HEAD_BYTES = 4096;

type Layout = Exclude<JsonLayoutOptions["layout"], "auto">;

/**
 * The container whose records are the lines of a JSON Lines file or the elements of one JSON array. Lines end with LF or CRLF. A
 * blank line counts as a record, but produces no row. A byte order mark at the start is ignored.
 */
export const jsonContainer: RecordContainer<JsonLayoutOptions> = {
  id: "json",
  extensions: [".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz"],
  defaults: LAYOUT_DEFAULTS,
  assertOptions: assertLayoutOptions,
  sniff: beginsWithObject,
  async *blocks(source, { options, from, part, limits, signal }) {
    const { layout, compression } = options;
    // For `"auto"`, the layout is detected from the start of the source. A stream yields its bytes only once, so a resumed read
    // of a stream also begins at the start and counts records, instead of continuing at a byte offset.
    const canPeek = layout !== "auto" || source.byteLength !== undefined;
    const position = canPeek ? from : from && { row: from.row };
    const start = typeof position?.detail === "number" ? position.detail : (part?.start ?? 0);
    const known = start > 0 ? (await beginningOf(source, options, signal)).layout : layout;
    const finder = createFinder(known, source.uri, start);
    const bounds = { from: position, part, limits, signal };
    yield* recordBlocks(source, bounds, { compression, recordName: "record" }, finder.find);
    finder.assertEnded?.();
  },
  async cuts(source, { options, partBytes, signal }) {
    if (source.byteLength === undefined) return [];
    const { isPlain, layout } = await beginningOf(source, options, signal);
    if (!isPlain || layout !== "lines") return [];
    return cutsBehind(LF, { source, compression: "none", partBytes, signal });
  },
};

interface RecordFinder {
  readonly find: FindRecords;
  assertEnded?(): void;
}

/** Creates a finder for the layout. For `"auto"`, the first byte that is not white space determines the layout. */
function createFinder(layout: JsonLayoutOptions["layout"], uri: string, start: number): RecordFinder {
  if (layout === "lines") return { find: findLines };
  if (layout === "array") return createElementFinder(uri, start);
  let settled: RecordFinder | undefined;
  return {
    find(bytes, place) {
      if (settled === undefined) {
        const first = layoutIn(bytes);
        if (first === undefined && !place.isLast) return nothingYet();
        settled = createFinder(first ?? "lines", uri, start);
      }
      return settled.find(bytes, place);
    },
    assertEnded: () => settled?.assertEnded?.(),
  };
}

function nothingYet(): FoundRecords {
  return { numRecords: 0, starts: new Uint32Array(0), ends: new Uint32Array(0), consumed: 0 };
}

/** Returns the layout of a file that begins with `head`, or undefined if `head` is too short to determine it. */
function layoutIn(head: Uint8Array): Layout | undefined {
  const at = firstPosition(head);
  return at < 0 ? undefined : head[at] === OPEN_LIST ? "array" : "lines";
}

/** Facts derived from the first bytes of a source. */
interface Beginning {
  /** True if the source is not compressed. */
  readonly isPlain: boolean;
  readonly layout: Layout;
}

async function beginningOf(
  source: ByteSource,
  { layout, compression }: JsonLayoutOptions,
  signal: AbortSignal | undefined,
): Promise<Beginning> {
  const head = await source.slice(0, HEAD_BYTES, { signal });
  const isGzip = compression === "auto" && head[0] === 0x1f && head[1] === 0x8b;
  const isPlain = compression === "none" || (compression === "auto" && !isGzip);
  if (layout !== "auto") return { isPlain, layout };
  const seen = isPlain ? layoutIn(head) : undefined;
  return { isPlain, layout: seen ?? (await layoutOf(source, compression, signal)) };
}

async function layoutOf(
  source: ByteSource,
  compression: JsonLayoutOptions["compression"],
  signal: AbortSignal | undefined,
): Promise<Layout> {
  for await (const chunk of decompressed(source, { compression, signal })) {
    const layout = layoutIn(chunk);
    if (layout !== undefined) return layout;
  }
  return "lines";
}

/**
 * Returns true if a file begins with `{"`, `{}` or `[]`, or with `[` followed by `{"` or `{}`. White space between these
 * characters is ignored. Files of other formats rarely begin in this way.
 */
function beginsWithObject(head: Uint8Array): boolean {
  const first = firstPosition(head);
  if (first < 0) return false;
  const second = nextPosition(head, first);
  if (head[first] === OPEN_OBJECT) return head[second] === QUOTE || head[second] === CLOSE_OBJECT;
  if (head[first] !== OPEN_LIST) return false;
  if (head[second] === CLOSE_LIST) return true;
  const third = nextPosition(head, second);
  return head[second] === OPEN_OBJECT && (head[third] === QUOTE || head[third] === CLOSE_OBJECT);
}

/** Returns the position of the first byte after `at` that is not white space, or `head.length` if there is none. */
function nextPosition(head: Uint8Array, at: number): number {
  const length = firstPosition(head.subarray(at + 1));
  return length < 0 ? head.length : at + 1 + length;
}
