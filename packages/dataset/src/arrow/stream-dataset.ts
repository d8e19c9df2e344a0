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

/** Options of an {@link ArrowStreamDataset}: those of every Arrow dataset, and those of its connections. */
export interface ArrowStreamDatasetOptions extends ArrowDatasetOptions, StreamClientOptions {}

/**
 * Rows of Arrow streams that endpoints serve, one endpoint after the other. All have to agree in the columns that are
 * selected. With `batchMode: "auto"` the elements are the record batches as they were sent. Each pass reconnects, at its
 * first `next()`, by one connection for each endpoint; an error and `return()` close it at once. Bytes are read as elements
 * are asked for, so that a slow consumer slows the server down.
 * @see tensorflow_io.arrow.ArrowStreamDataset
 */
export class ArrowStreamDataset extends Dataset<unknown> {
  /**
   * @param endpoints `host:port`, `tcp://host:port`, `unix://path`, `fd://0` or `fd://-` (standard input, one pass), an `http:`
   *   or `https:` URL, a function that opens the bytes of a pass, or a list of these.
   * @throws {ArgumentError} `invalid-argument`; (`endpoint`) for text that is no endpoint. {@link UnsupportedError}
   *   `unsupported` (`endpoint`) for sockets in a browser. From the iterator, errors of the connections as
   *   {@link StreamClient.recordBatches} has them; what does not fit the schema as `ArrowDataset.fromTable`.
   */
  constructor(endpoints: EndpointInput | readonly EndpointInput[], options: ArrowStreamDatasetOptions = {}) {
    super(streamPlan(endpoints, "ArrowStreamDataset", options));
  }

  /**
   * {@link ArrowStreamDataset} of streams whose schema is known: what does not fit it is refused at the call.
   * @throws as the constructor.
   */
  static fromSchema(
    endpoints: EndpointInput | readonly EndpointInput[],
    arrowSchema: ArrowSchema,
    options: ArrowStreamDatasetOptions = {},
  ): ArrowStreamDataset {
    return new ArrowStreamDataset(endpoints, { ...options, arrowSchema });
  }

  /** `ArrowDataset.fromRecordBatches`, under the name that tensorflow-io has it by. It opens no socket. */
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
