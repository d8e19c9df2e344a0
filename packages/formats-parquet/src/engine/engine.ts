import { type ErrorLocation, RecordError, UnsupportedError } from "@tfxio/wire";
import { freeBuffer } from "@tfxio/wire/kernels";
import { countTrap, usableEngine } from "./usable-engine.js";
import { type RecordBatch, RecordBatchReader, type Schema as ArrowSchema } from "apache-arrow";

/** A file in memory for the engine to read. All members except `parts` describe the origin of the rows, for errors. */
export interface EngineFile {
  /** The bytes of the file in order. Borrowed until the file is read. */
  readonly parts: readonly Uint8Array[];
  readonly uri: string;
  /** Index of the row group's first row in the original file. */
  readonly recordIndex: number;
  /** Byte offset in the original file at which the first column chunk begins. */
  readonly byteOffset: number;
}

/** The part of a file that the engine reads. */
export interface EngineRead {
  readonly batchSize: number;
  /** Number of rows to skip. */
  readonly offset: number;
  /** Number of rows to read. */
  readonly limit: number;
}

/**
 * Returns the Arrow schema of the batches that the engine makes from a file. The engine's own `readSchema` instead returns the
 * schema of the writer, whose types may differ, for example for list views.
 * @throws {RecordError} `corrupt-record` (`footer`) for a schema that the engine rejects.
 * @throws {UnsupportedError} The errors of {@link readFile}.
 */
export async function readSchema({ parts, uri }: Pick<EngineFile, "parts" | "uri">): Promise<ArrowSchema> {
  const engine = await usableEngine();
  const place = { uri, reason: "footer" };
  const ipc = attempt("its schema", place, () => engine.readParquet(joined(parts)).intoIPCStream());
  return RecordBatchReader.from(ipc).open().schema;
}

/** Batches that share one buffer, which nothing else uses. */
export interface EngineBatches {
  readonly batches: readonly RecordBatch[];
  readonly buffer: ArrayBuffer;
}

/**
 * Returns the rows that `read` selects from a file, as batches with columns in file order.
 * @throws {RecordError} `corrupt-record` (`page`) for data that the engine rejects.
 * @throws {UnsupportedError} `unsupported` (`encoding`) for features that the engine does not implement; (`engine-missing`,
 * `engine-lost`) if the engine cannot be used.
 */
export async function readFile({ parts, ...origin }: EngineFile, read: EngineRead): Promise<EngineBatches> {
  const engine = await usableEngine();
  const bytes = joined(parts);
  const what = `the row group that begins with row ${origin.recordIndex}`;
  const ipc = attempt(what, { ...origin, reason: "page" }, () =>
    engine.readParquet(bytes, read).intoIPCStream(),
  );
  if (bytes.buffer !== kept.buffer) freeBuffer(bytes.buffer);
  return { batches: [...RecordBatchReader.from(ipc)], buffer: ipc.buffer as ArrayBuffer };
}

/** Maximum size of the buffer that all files share. A new buffer for each file would make V8 collect garbage far more often. */
const MAX_KEPT_BYTES = 8 * 2 ** 20;
let kept = new Uint8Array(0);

/** Returns the parts as one array, valid until the next call. The engine copies it. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (kept.length < length && length <= MAX_KEPT_BYTES)
    kept = new Uint8Array(Math.min(2 * length, MAX_KEPT_BYTES));
  const bytes = length <= kept.length ? kept.subarray(0, length) : new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns the result of `run`. `what` and `place` describe the part of the file that `run` reads, for errors. */
function attempt<Result>(
  what: string,
  place: ErrorLocation & { readonly reason: string },
  run: () => Result,
): Result {
  try {
    return run();
  } catch (cause) {
    countTrap(cause);
    const text = cause instanceof Error ? cause.message : String(cause);
    if (/\bNYI\b|not (?:yet )?(?:implemented|supported)/i.test(text)) {
      throw new UnsupportedError(`${place.uri} cannot be read: ${text}`, {
        reason: "encoding",
        feature: "this Parquet encoding",
        cause,
      });
    }
    const message = `${place.uri}: ${what} is damaged: ${text}`;
    throw new RecordError("corrupt-record", message, { ...place, cause });
  }
}
