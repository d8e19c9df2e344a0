import type { RecordContainer } from "@tfxio/format";
import { type FindRecords, findLines, type FoundRecords, recordBlocks } from "@tfxio/format/containers";
import { type ByteSource, decompressed } from "@tfxio/wire";
import { createElementFinder } from "./framing/find-elements.js";
import { findLineCuts } from "./framing/find-cuts.js";
import { firstPosition } from "./framing/first-byte.js";
import { assertLayoutOptions, type JsonLayoutOptions, LAYOUT_DEFAULTS } from "./options.js";
import { QUOTE } from "./parse/copy-string.js";
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT } from "./parse/skip-value.js";

type Layout = Exclude<JsonLayoutOptions["layout"], "auto">;

/**
 * Lines of JSON, or the elements of one JSON array. Lines end with LF or CRLF; one without anything but white space is a
 * record, and no row. A byte order mark is left out.
 */
export const jsonContainer: RecordContainer<JsonLayoutOptions> = {
  id: "json",
  extensions: [".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz"],
  defaults: LAYOUT_DEFAULTS,
  assertOptions: assertLayoutOptions,
  sniff: beginsWithObject,
  async *blocks(source, { options: { layout, compression }, from, part, limits, signal }) {
    // Of a stream that comes once, the beginning is gone where reading goes on later: its records are counted then.
    const canPeek = layout !== "auto" || source.byteLength !== undefined;
    const position = canPeek ? from : from && { row: from.row };
    const start = typeof position?.detail === "number" ? position.detail : (part?.start ?? 0);
    const known = layout === "auto" && start > 0 ? await layoutOf(source, { compression, signal }) : layout;
    const finder = createFinder(known, source.uri, start);
    const bounds = { from: position, part, limits, signal };
    yield* recordBlocks(source, bounds, { compression, recordName: "record" }, finder.find);
    finder.assertEnded?.();
  },
  async cuts(source, { options: { layout, compression }, partBytes, signal }) {
    if (source.byteLength === undefined || !(await isPlain(source, { compression, signal }))) return [];
    const settled = layout === "auto" ? await layoutOf(source, { compression, signal }) : layout;
    return settled === "array" ? [] : findLineCuts(source, { partBytes, signal });
  },
};

interface RecordFinder {
  readonly find: FindRecords;
  assertEnded?(): void;
}

/** Finds records; where the layout is not known, the first byte decides. */
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

/** The layout of a file that begins so; undefined while there is nothing but white space. */
function layoutIn(head: Uint8Array): Layout | undefined {
  const at = firstPosition(head);
  return at < 0 ? undefined : head[at] === OPEN_LIST ? "array" : "lines";
}

/** How the beginning of a source is looked at. */
interface Peeking extends Pick<JsonLayoutOptions, "compression"> {
  readonly signal: AbortSignal | undefined;
}

async function layoutOf(source: ByteSource, { compression, signal }: Peeking): Promise<Layout> {
  for await (const chunk of decompressed(source, { compression, signal })) {
    const layout = layoutIn(chunk);
    if (layout !== undefined) return layout;
  }
  return "lines";
}

async function isPlain(source: ByteSource, { compression, signal }: Peeking): Promise<boolean> {
  if (compression !== "auto") return compression === "none";
  const magic = await source.slice(0, 2, { signal });
  return !(magic[0] === 0x1f && magic[1] === 0x8b);
}

/** True for `{"`, `{}`, and an array of such objects or of none: text of other formats hardly begins so. */
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

/** Position of the next byte that is no white space. */
function nextPosition(head: Uint8Array, at: number): number {
  const length = firstPosition(head.subarray(at + 1));
  return length < 0 ? head.length : at + 1 + length;
}
