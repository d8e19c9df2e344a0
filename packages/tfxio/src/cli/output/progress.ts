import { openSources } from "@tfxio/wire";
import type { Host } from "../host.js";
import { bytesText, counted } from "./units.js";

/** Progress of a command. `numRows` and `numBytes` never decrease. */
export interface ProgressCounts {
  readonly numRows: number;
  /** Number of bytes from which the rate is computed: uncompressed bytes read, or bytes written. */
  readonly numBytes: number;
  /** The file being read. */
  readonly uri?: string;
  /** Number of uncompressed bytes read from the file `uri`. Default: the increase of `numBytes` since that file began. */
  readonly numBytesRead?: number;
}

/** A progress line on stderr. Shows nothing if stderr is not a terminal. */
export interface Progress {
  /** Updates the line. Redraws are limited, so it may be called for each batch. */
  readonly update: (counts: ProgressCounts) => void;
  /** Removes the line. Safe to call twice. */
  end(): void;
}

/** The progress of a command whose stderr is not a terminal. */
const SILENT: Progress = { update: () => {}, end: () => {} };

/** Maximum number of redraws per second. */
const REDRAWS = 10;

/**
 * Starts a progress line. If `sources` are given and all their sizes are known, it shows a bar, the remaining time, counts and
 * the rate. Otherwise it shows only counts and the rate.
 * @param label Text at the start of the line, such as `converting`.
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
  // The counts of a resumed command include the bytes of the earlier run. Exclude them from the rate.
  let bytesAtStart: number | undefined;
  return {
    update(progress) {
      const seconds = Math.max(0.001, (performance.now() - start) / 1000);
      const { numRows, numBytes, uri, numBytesRead } = progress;
      bytesAtStart ??= uri === undefined || numBytesRead === undefined ? 0 : numBytes;
      const rate = bytesText((numBytes - bytesAtStart) / seconds);
      bar.update(files.position(progress), {
        counts: `${counted(numRows, "row")}, ${bytesText(numBytes)}, ${rate}/s`,
      });
    },
    end() {
      if (!isOver) bar.stop();
      isOver = true;
    },
  };
}

/** Returns the stored sizes of the files by name, in order. Empty if a source cannot be opened or its size is unknown. */
async function sizesOf(
  sources: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  if (sources.length === 0 || sources.includes("-")) return new Map();
  // The command itself reports problems with the sources.
  const opened = await openSources(sources, { signal }).catch(() => []);
  if (opened.some(({ byteLength }) => byteLength === undefined)) return new Map();
  return new Map(opened.map(({ uri, byteLength = 0 }) => [uri, byteLength]));
}

/**
 * Computes the position within the stored bytes of all files, given the number of bytes read from one of them. Compressed files
 * have more uncompressed bytes than stored bytes, so the position is approximate.
 */
class StoredFiles {
  readonly total: number;
  readonly #sizes: ReadonlyMap<string, number>;
  /** For each file, the number of stored bytes of all earlier files. */
  readonly #before = new Map<string, number>();
  #current: string | undefined;
  /** Number of bytes that had been read when the current file began. */
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

  /** Returns the position. It does not exceed the end of the current file until the next file begins. */
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
