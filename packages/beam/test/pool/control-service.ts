import { createRequire } from "node:module";
import type { GrpcServer, Sdk } from "../../src/compat/sdk.js";

/** The control service of a runner. */
export interface ControlService {
  /** `host:port`. */
  readonly address: string;
  /** Resolves to the next worker that connects. */
  readonly nextWorker: () => Promise<ConnectedWorker>;
  /** The `worker_id` of each request for a descriptor. */
  readonly descriptorCallers: readonly unknown[];
  readonly stop: () => void;
}

/** A worker on the control channel. */
export interface ConnectedWorker {
  readonly id: unknown;
  /** Sends an instruction, and resolves to its response. */
  readonly ask: (instruction: object) => Promise<Record<string, unknown>>;
  /** Ends the channel, as a runner does after its job. */
  readonly dismiss: () => void;
}

/** Starts a control service and a provision service. Every descriptor that a worker requests is empty. */
export async function startControlService({ fnApi, fnServices, grpc }: Sdk): Promise<ControlService> {
  const arrived: ConnectedWorker[] = [];
  const waiting: ((worker: ConnectedWorker) => void)[] = [];
  const descriptorCallers: unknown[] = [];
  const server: GrpcServer = new grpc.Server();
  server.addService(fnServices.beamFnControlDefinition, {
    control: (stream: ControlStream) => {
      const worker = connected(stream);
      const wanted = waiting.shift();
      if (wanted === undefined) arrived.push(worker);
      else wanted(worker);
    },
    getProcessBundleDescriptor: ({ metadata }: Call, answer: (error: null, value: object) => void) => {
      descriptorCallers.push(...metadata.get("worker_id"));
      answer(null, fnApi.ProcessBundleDescriptor.create());
    },
  });
  const { provisionServiceDefinition } = createRequire(import.meta.url)(
    "apache-beam/proto/beam_provision_api.grpc-server",
  ) as typeof import("apache-beam/proto/beam_provision_api.grpc-server");
  server.addService(provisionServiceDefinition, {
    getProvisionInfo: (_call: unknown, answer: (error: null, value: object) => void) => {
      const { ProvisionInfo } = createRequire(import.meta.url)(
        "apache-beam/proto/beam_provision_api",
      ) as typeof import("apache-beam/proto/beam_provision_api");
      const controlEndpoint = { url: `localhost:${port}` };
      answer(null, { info: ProvisionInfo.create({ controlEndpoint }) });
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("localhost:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    address: `localhost:${port}`,
    nextWorker: () =>
      new Promise((resolve) => {
        const worker = arrived.shift();
        if (worker === undefined) waiting.push(resolve);
        else resolve(worker);
      }),
    descriptorCallers,
    stop: () => server.forceShutdown(),
  };
}

interface Call {
  readonly metadata: { get(name: string): unknown[] };
}

interface ControlStream extends Call {
  write(message: object): void;
  end(): void;
  once(event: "data", listener: (message: Record<string, unknown>) => void): void;
  on(event: "error", listener: () => void): void;
}

function connected(stream: ControlStream): ConnectedWorker {
  // Killing a worker breaks its stream.
  stream.on("error", () => {});
  return {
    id: stream.metadata.get("worker_id")[0],
    ask: (instruction) =>
      new Promise((resolve) => {
        stream.once("data", resolve);
        stream.write(instruction);
      }),
    dismiss: () => stream.end(),
  };
}
