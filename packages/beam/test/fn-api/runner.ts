import type { GrpcServer, Sdk } from "../../src/compat/sdk.js";

/** A runner that a test drives message by message: the control, data and state services of the Fn API over gRPC. */
export interface FnApiRunner {
  /** `host:port` of all services. */
  readonly address: string;
  /** Responses to `getProcessBundleDescriptor`, by id. */
  readonly descriptors: Map<string, object>;
  /** The `worker_id` of each request for a descriptor. */
  readonly descriptorCallers: unknown[];
  /** Resolves to the next control stream that a worker opens. */
  readonly control: () => Promise<Stream>;
  readonly data: () => Promise<Stream>;
  readonly state: () => Promise<Stream>;
  /** Breaks all streams, like a crashing runner. */
  readonly stop: () => void;
}

/** A message of any stream, in the form of protobuf-ts. */
export type Message = Readonly<Record<string, unknown>>;

/** The runner's side of a stream. */
export interface Stream {
  /** Messages received from the worker so far, in order. */
  readonly received: readonly Message[];
  readonly send: (message: Message) => void;
  /** Resolves to the first message, past or future, that satisfies the predicate. */
  readonly find: (passes: (message: Message) => boolean) => Promise<Message>;
  /** Ends the stream without an error. */
  readonly end: () => void;
  /** Ends the stream with an error. */
  readonly fail: () => void;
}

/** Options of {@link startFnApiRunner}. */
export interface FnApiRunnerOptions {
  /** Channel options of the gRPC server. Default: no limit on message sizes, as in real runners. */
  readonly channelOptions?: Readonly<Record<string, number>>;
}

/** Starts a runner on a free port. */
export async function startFnApiRunner(
  { fnServices, grpc }: Sdk,
  { channelOptions = ANY_SIZE }: FnApiRunnerOptions = {},
): Promise<FnApiRunner> {
  const Server = grpc.Server as new (options: object) => GrpcServer;
  const server = new Server(channelOptions);
  const control = streams();
  const data = streams();
  const state = streams();
  const descriptors = new Map<string, object>();
  const descriptorCallers: unknown[] = [];
  server.addService(fnServices.beamFnControlDefinition, {
    control: control.accept,
    getProcessBundleDescriptor: ({ request, metadata }: DescriptorCall, answer: Answer) => {
      descriptorCallers.push(...metadata.get("worker_id"));
      const descriptor = descriptors.get(request.processBundleDescriptorId);
      if (descriptor === undefined) answer({ code: 5, details: "unknown descriptor" });
      else answer(null, descriptor);
    },
  });
  server.addService(fnServices.beamFnDataDefinition, { data: data.accept });
  server.addService(fnServices.beamFnStateDefinition, { state: state.accept });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("localhost:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    address: `localhost:${port}`,
    descriptors,
    descriptorCallers,
    control: control.next,
    data: data.next,
    state: state.next,
    stop: () => server.forceShutdown(),
  };
}

const ANY_SIZE = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

interface DescriptorCall {
  readonly request: { readonly processBundleDescriptorId: string };
  readonly metadata: { get(name: string): unknown[] };
}

type Answer = (error: { readonly code: number; readonly details: string } | null, value?: object) => void;

interface GrpcStream {
  on(event: "data", listener: (message: Message) => void): void;
  on(event: "error", listener: () => void): void;
  write(message: Message): void;
  end(): void;
  emit(event: "error", error: object): void;
}

/** Collects the streams that workers open for one method. `next` resolves to one stream at a time, in order. */
function streams(): { readonly accept: (stream: GrpcStream) => void; readonly next: () => Promise<Stream> } {
  const arrived: Stream[] = [];
  const waiting: ((stream: Stream) => void)[] = [];
  return {
    accept: (grpcStream) => {
      const stream = streamOf(grpcStream);
      const wanted = waiting.shift();
      if (wanted === undefined) arrived.push(stream);
      else wanted(stream);
    },
    next: () =>
      new Promise((resolve) => {
        const stream = arrived.shift();
        if (stream === undefined) waiting.push(resolve);
        else resolve(stream);
      }),
  };
}

function streamOf(stream: GrpcStream): Stream {
  const received: Message[] = [];
  const waiting = new Set<(message: Message) => void>();
  stream.on("data", (message) => {
    received.push(message);
    for (const take of waiting) take(message);
  });
  // Killing a worker breaks its streams.
  stream.on("error", () => {});
  return {
    received,
    send: (message) => stream.write(message),
    find: (passes) =>
      new Promise((resolve) => {
        const found = received.find(passes);
        if (found !== undefined) return resolve(found);
        const take = (message: Message): void => {
          if (!passes(message)) return;
          waiting.delete(take);
          resolve(message);
        };
        waiting.add(take);
      }),
    end: () => stream.end(),
    fail: () => stream.emit("error", { code: 14, details: "the runner breaks the stream" }),
  };
}
