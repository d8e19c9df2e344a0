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
 * A dataset of the rows of Arrow streams that endpoints serve. Endpoints are read one after the other. The selected columns must
 * have the same names and types in all streams. With `batchMode: "auto"`, each non-empty record batch of a stream is one element.
 * Each pass opens a new connection to each endpoint. The first connection is opened at the first `next()`. An error or `return()`
 * closes the open connection at once. Bytes are read on demand, so a slow consumer slows the server down.
 * @see tensorflow_io.arrow.ArrowStreamDataset
 */
export class ArrowStreamDataset extends Dataset<unknown> {
  /**
   * Creates a dataset of streams, without connecting.
   * @param endpoints `host:port`, `tcp://host:port`, `unix://path`; `fd://n` or `fd://-` (standard input), which allow one pass;
   *   a `URL` object with the scheme `http:` or `https:`; a function that opens the byte stream of one pass; or a list of these.
   * @throws {ArgumentError} `invalid-argument` for an empty list and for invalid options. The reason is `endpoint` for text that
   *   is not an endpoint.
   * @throws {UnsupportedError} `unsupported` (`endpoint`) in a browser, for an endpoint given as text.
   * @throws The schema errors of `ArrowDataset.fromTable`, if `arrowSchema` is given. Otherwise, the iterator throws them. The
   *   iterator also throws the errors of {@link StreamClient.recordBatches}.
   */
  constructor(endpoints: EndpointInput | readonly EndpointInput[], options: ArrowStreamDatasetOptions = {}) {
    super(streamPlan(endpoints, "ArrowStreamDataset", options));
  }

  /**
   * Creates a dataset of streams whose schema is known. Options that contradict the schema fail at the call.
   * @throws The errors of `ArrowDataset.fromTable`. Also throws the errors of the constructor.
   */
  static fromSchema(
    endpoints: EndpointInput | readonly EndpointInput[],
    arrowSchema: ArrowSchema,
    options: ArrowStreamDatasetOptions = {},
  ): ArrowStreamDataset {
    return new ArrowStreamDataset(endpoints, { ...options, arrowSchema });
  }

  /**
   * Creates the same dataset as `ArrowDataset.fromRecordBatches`. Exists because tensorflow-io has this method too. Reads the
   * batches directly, without a socket.
   * @throws The errors of `ArrowDataset.fromRecordBatches`.
   */
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
      `${owner}: endpoints must name at least one endpoint, found an empty list.`,
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
