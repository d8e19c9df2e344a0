import {
  createStreamClient,
  type EndpointInput,
  STREAM_CLIENT_RULES,
  type StreamClient,
  type StreamClientOptions,
} from "@tfxio/formats-arrow/client";
import { ArgumentError } from "@tfxio/wire";
import { assertOptions } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { Dataset } from "../dataset.js";
import type { Plan } from "../plan.js";
import { type RecordBatchSource, recordBatchesOf } from "./arrow-dataset.js";
import { arrowPlan } from "./arrow-plan.js";
import { ARROW_RULES, type ArrowDatasetOptions } from "./options.js";

/** Options of an {@link ArrowStreamDataset}: the common Arrow dataset options plus connection options. */
export interface ArrowStreamDatasetOptions extends ArrowDatasetOptions, StreamClientOptions {}

/**
 * The rows of Arrow streams served by endpoints, one endpoint after the other. The selected columns must have the same
 * type in all streams. With `batchMode: "auto"` the elements are the record batches as sent. Each pass opens one new
 * connection per endpoint, the first on its first `next()`. An error or `return()` closes the connection at once. Bytes are
 * read on demand, so a slow consumer slows the server down.
 * @see tensorflow_io.arrow.ArrowStreamDataset
 */
export class ArrowStreamDataset extends Dataset<unknown> {
  /**
   * @param endpoints `host:port`, `tcp://host:port`, `unix://path`, `fd://0` or `fd://-` (standard input, one pass), an `http:`
   *   or `https:` URL, a function that opens the bytes of a pass, or a list of these.
   * @throws {ArgumentError} `invalid-argument`, with reason `endpoint` for text that is not an endpoint.
   * @throws {UnsupportedError} `unsupported` (`endpoint`) for sockets in a browser.
   * The iterator throws the errors of {@link StreamClient.recordBatches}, and the schema errors of `ArrowDataset.fromTable`.
   */
  constructor(endpoints: EndpointInput | readonly EndpointInput[], options: ArrowStreamDatasetOptions = {}) {
    super(streamPlan(endpoints, "ArrowStreamDataset", options));
  }

  /**
   * An {@link ArrowStreamDataset} of streams with a known schema. Options that contradict the schema fail at the call.
   * @throws as the constructor.
   */
  static fromSchema(
    endpoints: EndpointInput | readonly EndpointInput[],
    arrowSchema: ArrowSchema,
    options: ArrowStreamDatasetOptions = {},
  ): ArrowStreamDataset {
    return new ArrowStreamDataset(endpoints, { ...options, arrowSchema });
  }

  /** An alias of `ArrowDataset.fromRecordBatches`, under its tensorflow-io name. Opens no socket. */
  static fromRecordBatches(batches: RecordBatchSource, options: ArrowDatasetOptions = {}): Dataset<unknown> {
    return new Dataset(recordBatchesOf(batches, "ArrowStreamDataset.fromRecordBatches", options));
  }
}

function streamPlan(
  endpoints: EndpointInput | readonly EndpointInput[],
  owner: string,
  options: ArrowStreamDatasetOptions,
): Plan {
  assertOptions(owner, options, { ...ARROW_RULES, ...STREAM_CLIENT_RULES });
  const { connectTimeoutMs, idleTimeoutMs, retry, requireEndOfStream, limits, ...elements } = options;
  const connection = { connectTimeoutMs, idleTimeoutMs, retry, requireEndOfStream, limits };
  const clients = [endpoints].flat().map((endpoint) => createStreamClient(endpoint, connection));
  if (clients.length === 0) {
    throw new ArgumentError(
      "invalid-argument",
      `${owner}: endpoints is an empty list, expected an endpoint`,
      {
        argument: "endpoints",
      },
    );
  }
  return arrowPlan(({ signal }) => batchesOfClients(clients, signal), owner, elements);
}

async function* batchesOfClients(
  clients: readonly StreamClient[],
  signal: AbortSignal,
): AsyncGenerator<RecordBatch, void, undefined> {
  for (const client of clients) yield* client.recordBatches({ signal });
}
