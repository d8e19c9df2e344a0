import { onePassSource } from "@tfxio/format";
import {
  type BufferedStream,
  type ByteSource,
  decompressed,
  type HandedOver,
  handedOver,
  itemsOf,
} from "@tfxio/wire";
import { UnsupportedError } from "@tfxio/wire/errors";
import type { ReadLimits } from "../compression/codecs.js";
import type { BatchIndex } from "./batch-index.js";
import { containerOf, MAGIC_BYTES } from "./container.js";
import { openFeatherV1 } from "./feather-v1-file.js";
import { openIpcFile } from "./ipc-file.js";
import { type OpenedStream, openIpcStream, type StreamOptions } from "./ipc-stream.js";
import { clippedRange } from "./ranges.js";
import type { StoredSchema } from "../metadata/stored-column.js";

/** A source with a known container and schema. Holds no open resources. */
export type ArrowSource = { readonly uri: string; readonly schema: StoredSchema } & (
  | { readonly kind: "indexed"; readonly index: BatchIndex }
  | { readonly kind: "stream"; readonly run: RunStream }
);

/** Opens a stream at its first byte and yields the results of `read`. */
export type RunStream = <Result>(read: ReadStream<Result>, signal?: AbortSignal) => HandedOver<Result>;

/** A stream that can be read once. */
interface StreamRunner {
  readonly schema: (signal: AbortSignal | undefined) => Promise<StoredSchema>;
  readonly run: RunStream;
}

export type ReadStream<Result> = (stream: OpenedStream) => AsyncIterable<Result>;

/**
 * Detects the container of a source and reads its schema.
 * @throws The errors of {@link openIpcFile}, {@link openIpcStream} and {@link openFeatherV1}.
 */
export async function openArrowSource(
  source: ByteSource,
  limits: ReadLimits,
  signal: AbortSignal | undefined,
): Promise<ArrowSource> {
  const { uri } = source;
  const container = containerOf(await clippedRange(source, { start: 0, end: MAGIC_BYTES }, signal));
  if (container === "file" || container === "feather-v1") {
    const open = container === "file" ? openIpcFile : openFeatherV1;
    const index = await open(source, limits, signal);
    return { uri, kind: "indexed", schema: index.schema, index };
  }
  const run = runnerOf(source, { uri, limits, needsEndMarker: false });
  for await (const schema of run(schemaOf, signal)) return { uri, kind: "stream", schema, run };
  throw new TypeError("The stream gave no schema.");
}

/**
 * Returns a one-pass stream. Chunks that `schema` reads are kept, so that `run` starts from the beginning. Call `run` only once.
 * @throws {UnsupportedError} `unsupported` (`stream`), from `schema`, for a Feather V1 file, which has its schema at the end.
 * @throws The errors of {@link openIpcStream}, from `schema` and `run`.
 */
export function arrowStream(
  stream: BufferedStream,
  settings: Omit<StreamOptions, "uri">,
): StreamRunner & { readonly uri: string } {
  const { uri } = stream;
  const options = { uri, ...settings };
  const sampled = { ...onePassSource(stream, uri), stream: () => stream.sample() };
  return {
    uri,
    schema: async (signal) => {
      const head = await stream.head(MAGIC_BYTES, { signal });
      if (containerOf(head) === "feather-v1") {
        const message = `${uri} is a Feather V1 file, which cannot be read as a stream; pass it as a file.`;
        throw new UnsupportedError(message, { feature: "streams of Feather V1", reason: "stream" });
      }
      for await (const schema of runnerOf(sampled, options)(schemaOf, signal)) return schema;
      throw new TypeError("The stream gave no schema.");
    },
    run: runnerOf(onePassSource(stream, uri), options),
  };
}

/** Returns a function that opens a stream for a read, and closes the stream afterwards. */
function runnerOf(source: ByteSource, options: StreamOptions): RunStream {
  return function run(read, signal) {
    let chunks: ReturnType<typeof decompressed> | undefined;
    const items = itemsOf(async () => {
      chunks = decompressed(source, { signal });
      return read(await openIpcStream(chunks, options));
    });
    return handedOver(items.next, async () => {
      await items.close();
      await chunks?.return();
    });
  };
}

async function* schemaOf({ schema }: OpenedStream): AsyncGenerator<StoredSchema, void, undefined> {
  yield schema;
}
