import { openSources } from "@tfxio/wire";
import type { Host } from "../host.js";
import { bytesText, countText } from "./units.js";

/** How far a command has come. Counts never fall. */
export interface ProgressCounts {
  readonly numRows: number;
  /** Bytes for the rate: uncompressed ones that were read, or those that were written. */
  readonly numBytes: number;
  /** The file that is being read. */
  readonly uri?: string;
  /** Uncompressed bytes of that file that were read. Default: `numBytes` since it was first named. */
  readonly numBytesRead?: number;
}

/** A line on stderr that tells how far a command is; nothing where stderr is no terminal. */
export interface Progress {
  readonly update: (counts: ProgressCounts) => void;
  /** Removes the line. Safe to call twice. */
  end(): void;
}

const SILENT: Progress = { update: () => {}, end: () => {} };

/** Redraws a second. */
const REDRAWS = 10;

/**
 * Begins a line of progress: a bar with rate and remaining time where `sources` are files whose size is known, else counts
 * and rate.
 */
export async function createProgress(
  label: string,
  { stderr, signal }: Host,
  sources: readonly string[] = [],
): Promise<Progress> {
  if (!stderr.isTerminal) return SILENT;
  const { default: cliProgress } = await import("cli-progress");
  const files = new StoredFiles(await sizesOf(sources, signal));
  const format =
    files.total > 0 ? `${label} {bar} {percentage}% {eta_formatted} left, {counts}` : `${label} {counts}`;
  const bar = new cliProgress.SingleBar({
    format,
    fps: REDRAWS,
    clearOnComplete: true,
    hideCursor: true,
    barsize: 24,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    stream: process.stderr,
  });
  const start = performance.now();
  bar.start(Math.max(files.total, 1), 0, { counts: "…" });
  let isOver = false;
  // Of a command that goes on with what another run has done, this run did not do the first bytes.
  let bytesAtStart: number | undefined;
  return {
    update(progress) {
      const seconds = Math.max(0.001, (performance.now() - start) / 1000);
      const { numRows, numBytes, uri, numBytesRead } = progress;
      bytesAtStart ??= uri === undefined || numBytesRead === undefined ? 0 : numBytes;
      const rate = bytesText((numBytes - bytesAtStart) / seconds);
      bar.update(files.position(progress), {
        counts: `${countText(numRows)} rows, ${bytesText(numBytes)}, ${rate}/s`,
      });
    },
    end() {
      if (!isOver) bar.stop();
      isOver = true;
    },
  };
}

/** Sizes of files by their names, in order; none where one is not known. */
async function sizesOf(
  sources: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  if (sources.length === 0 || sources.includes("-")) return new Map();
  // What is wrong with the sources is for the command to say.
  const opened = await openSources(sources, { signal }).catch(() => []);
  if (opened.some(({ byteLength }) => byteLength === undefined)) return new Map();
  return new Map(opened.map(({ uri, byteLength = 0 }) => [uri, byteLength]));
}

/** Uncompressed bytes of one file, as a position among the stored bytes of all. */
class StoredFiles {
  readonly total: number;
  readonly #sizes: ReadonlyMap<string, number>;
  /** Stored bytes of the files before each. */
  readonly #before = new Map<string, number>();
  #current: string | undefined;
  /** Bytes that had been read when the current file began. */
  #bytesBefore = 0;
  #lastBytes = 0;

  constructor(sizes: ReadonlyMap<string, number>) {
    this.#sizes = sizes;
    let total = 0;
    for (const [uri, size] of sizes) {
      this.#before.set(uri, total);
      total += size;
    }
    this.total = total;
  }

  /** Of a compressed file, or one of columns, at most its size: it counts fully once the next file begins. */
  position({ uri = "", numBytes, numBytesRead }: ProgressCounts): number {
    if (uri !== this.#current) {
      this.#current = uri;
      this.#bytesBefore = this.#lastBytes;
    }
    this.#lastBytes = numBytes;
    const size = this.#sizes.get(uri) ?? 0;
    return (this.#before.get(uri) ?? 0) + Math.min(size, numBytesRead ?? numBytes - this.#bytesBefore);
  }
}
