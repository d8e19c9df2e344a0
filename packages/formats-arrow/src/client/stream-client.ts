import { loadDecode } from "#coders";
import { overlayLimits } from "@tfxio/format";
import { bufferStream, cancellable, linkSignals } from "@tfxio/wire";
import { anAbortSignal, assertOptions } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { lateCodecs } from "../compression/late-codecs.js";
import { STREAM_CLIENT_RULES, type StreamClientOptions } from "./client-options.js";
import { type EndpointInput, openableEndpoint } from "./open-endpoint.js";
import { timedBytes } from "./timed-bytes.js";

/** Reads the record batches that an endpoint serves. */
export interface StreamClient {
  /** Names the endpoint in errors. */
  readonly uri: string;
  /**
   * Returns the record batches of one pass, neither split nor joined. The first `next()` opens a connection, which closes as soon
   * as the stream ends, an error occurs or `return()` is called. Bytes are read only when batches are requested, so a slow
   * consumer slows down the peer.
   * @throws {SourceError} `io-failed` (`connection`, `connection-timeout`, `connection-stalled`, `http-status`, `stream`).
   * @throws {RecordError} `truncated-record` (`connection-lost`, `end-marker`, `message`) for an incomplete stream, after the
   * batches that arrived.
   * @throws {ArgumentError} `invalid-argument` (`not-reiterable`) for a second pass over `fd://`.
   * @throws The same errors as a reader from `arrow.openStream`, for bytes that are not a valid Arrow stream.
   * @throws The reason of `signal`, if the signal aborts.
   */
  recordBatches(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterableIterator<RecordBatch>;
}

/** Batch size of the reader. No record batch can have more rows than this, so the reader splits no batch. */
const WHOLE_BATCHES = 2 ** 31 - 1;

/**
 * Creates a client for an endpoint, without connecting to it.
 * @throws {ArgumentError} `invalid-argument`, with the reason `endpoint` for a value that is not an endpoint.
 * @throws {UnsupportedError} `unsupported` (`endpoint`) for an endpoint given as text, in a browser.
 */
export function createStreamClient(endpoint: EndpointInput, options: StreamClientOptions = {}): StreamClient {
  assertOptions("createStreamClient", options, STREAM_CLIENT_RULES);
  const {
    connectTimeoutMs = 10_000,
    idleTimeoutMs = Infinity,
    retry = { attempts: 1, delayMs: 0 },
    requireEndOfStream = true,
  } = options;
  const limits = { ...overlayLimits(options.limits), codecs: lateCodecs };
  const openable = openableEndpoint(endpoint);
  const { uri } = openable;
  const context = { limits, options: { joinBatches: false }, needsEndMarker: requireEndOfStream };
  const settings = { connectTimeoutMs, idleTimeoutMs, retry };

  async function* batchesOf(signal: AbortSignal): AsyncGenerator<RecordBatch, void, undefined> {
    const bytes = bufferStream(timedBytes(openable, settings, signal), uri);
    const reader = (await loadDecode()).readArrowStream(bytes, context);
    try {
      const plan = await reader.plan({ batchSize: WHOLE_BATCHES, signal });
      for (const split of plan.splits) yield* plan.read(split, { signal });
    } finally {
      await reader.close?.();
    }
  }

  return {
    uri,
    recordBatches(reading = {}) {
      assertOptions("recordBatches", reading, { signal: anAbortSignal });
      return cancellable(async function* (leaving) {
        const link = linkSignals(reading.signal, leaving);
        try {
          link.signal.throwIfAborted();
          yield* batchesOf(link.signal);
        } finally {
          link.unlink();
        }
      });
    },
  };
}
