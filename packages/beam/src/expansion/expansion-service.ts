import type { ExpansionRequest as Request } from "apache-beam/proto/beam_expansion_api";
import { aName, assertOptions, required } from "@tfxio/wire/checks";
import { installRepairs } from "../compat/install-repairs.js";
import { listen } from "../pool/listen.js";
import { expandRead } from "./expand-read.js";

/** Options of {@link startExpansionService}. */
export interface ExpansionServiceOptions {
  /** `host:port` of a worker pool, as seen from the runner's machines. See `startWorkerPool`. */
  readonly workerPool: string;
  /**
   * `host:port` to listen on. Default `localhost:0`, which means a free port. Keep it private: anyone who can connect can read
   * files with the permissions of this process and of the workers.
   */
  readonly address?: string | undefined;
}

/** A running expansion service. */
export interface ExpansionService {
  /** `host:port` with the actual port. */
  readonly address: string;
  /** Stops the service at once. */
  readonly stop: () => void;
}

const PATH = "/org.apache.beam.model.expansion.v1.ExpansionService/Expand";

/**
 * Starts a service that offers our sources to pipelines in Python, Java and other languages. The elements of
 * `tfxio:transform:read:v1` are record batches as Arrow IPC streams. The elements of `tfxio:transform:read_records:v1` are
 * serialized records. The payload of both is a {@link ReadConfiguration} as JSON in UTF-8. The service opens the data and plans
 * the units, and the workers of the pool read them. If opening or planning fails, the service returns the error message, and the
 * pipeline cannot be built.
 * @throws {ArgumentError} `invalid-argument` for invalid options.
 * @throws {SourceError} `io-failed` (`beam-runner`) if the service cannot listen on the address.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`) without the SDK.
 * @see Beam's `beam_expansion_api.proto`, "ExpansionService"
 */
export async function startExpansionService(options: ExpansionServiceOptions): Promise<ExpansionService> {
  assertOptions("startExpansionService", options, { workerPool: required(aName), address: aName });
  const { workerPool, address = "localhost:0" } = options;
  const sdk = installRepairs();
  const { ExpansionRequest, ExpansionResponse } = sdk.expansion;
  const server = new sdk.grpc.Server();
  // The SDK has only a client for this service, so the server's definition is written here.
  const definition = {
    expand: {
      path: PATH,
      originalName: "Expand",
      requestStream: false,
      responseStream: false,
      requestDeserialize: (bytes: Uint8Array) => ExpansionRequest.fromBinary(bytes),
      requestSerialize: (request: Request) => Buffer.from(ExpansionRequest.toBinary(request)),
      responseDeserialize: (bytes: Uint8Array) => ExpansionResponse.fromBinary(bytes),
      responseSerialize: (response: object) =>
        Buffer.from(ExpansionResponse.toBinary(ExpansionResponse.create(response))),
    },
  };
  server.addService(definition, {
    expand: ({ request }: { readonly request: Request }, answer: (error: null, response: object) => void) => {
      expandRead(request, workerPool).then(
        (response) => answer(null, response),
        (error: unknown) => answer(null, { error: String(error) }),
      );
    },
  });
  const bound = await listen(server, sdk, address);
  return { address: bound, stop: () => server.forceShutdown() };
}
