import { SourceError } from "@tfxio/wire";
import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";
import type { Sdk } from "../sdk.js";

/**
 * If the data or state stream breaks, the SDK only prints the error, and bundles wait forever. In addition, the process
 * ends if a response on the state stream belongs to no pending request. This repair fails the waiting bundles, opens a new stream
 * for the next bundle, and ignores such responses.
 */
export const failOnBrokenStreams: Repair = {
  defect: "bundles hang when the data or state stream breaks",
  apply({ data: { MultiplexingDataChannel }, worker: { Worker } }) {
    const { prototype } = Worker;
    const broken = new WeakMap<object, SourceError>();
    replaceMethod(
      prototype,
      "getDataChannel",
      (getDataChannel) =>
        function (this: SdkWorker, endpoint) {
          const isNew = !this.dataChannels.has(endpoint);
          const channel = getDataChannel.call(this, endpoint);
          if (isNew) {
            watch((channel as unknown as { readonly dataChannel: GrpcStream }).dataChannel, (problem) => {
              const error = brokenStream("data", endpoint, problem);
              broken.set(channel, error);
              if (this.dataChannels.get(endpoint) === channel) this.dataChannels.delete(endpoint);
              // The cached processors still refer to the broken channel, so the next bundle needs new processors.
              this.bundleProcessors.clear();
              for (const consumers of channel.consumers.values())
                for (const consumer of consumers.values()) consumer.onError(error);
            });
          }
          return channel;
        },
    );
    replaceMethod(
      MultiplexingDataChannel.prototype,
      "registerConsumer",
      (registerConsumer) =>
        async function (this: typeof MultiplexingDataChannel.prototype, bundle, transform, consumer) {
          const error = broken.get(this);
          if (error !== undefined) throw error;
          await registerConsumer.call(this, bundle, transform, consumer);
        },
    );
    replaceMethod(
      prototype,
      "getStateChannel",
      (getStateChannel) =>
        function (this: SdkWorker, endpoint) {
          const isNew = !this.stateChannels.has(endpoint);
          const channel = getStateChannel.call(this, endpoint);
          if (isNew) {
            const { stateChannel, callbacks } = channel as unknown as StateChannel;
            stateChannel.removeAllListeners("data").on("data", (response) => {
              const take = callbacks.get(response.id);
              callbacks.delete(response.id);
              take?.(response);
            });
            watch(stateChannel, (problem) => {
              const { message: error } = brokenStream("state", endpoint, problem);
              if (this.stateChannels.get(endpoint) === channel) this.stateChannels.delete(endpoint);
              for (const [id, take] of callbacks) take({ id, error });
              callbacks.clear();
            });
          }
          return channel;
        },
    );
  },
};

type SdkWorker = InstanceType<Sdk["worker"]["Worker"]>;

interface StateResponse {
  readonly id: string;
  readonly error: string;
}

interface StateChannel {
  readonly stateChannel: GrpcStream;
  readonly callbacks: Map<string, (response: StateResponse) => void>;
}

interface GrpcStream {
  on(event: "data", listener: (response: StateResponse) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  removeAllListeners(event: "data"): GrpcStream;
}

/** Calls `onBreak` when the stream fails or ends, but only once. */
function watch(stream: GrpcStream, onBreak: (problem: string) => void): void {
  let isBroken = false;
  const report = (problem: string): void => {
    if (isBroken) return;
    isBroken = true;
    onBreak(problem);
  };
  stream.on("error", ({ message }) => report(message));
  stream.on("end", () => report("the runner ended it"));
}

function brokenStream(kind: "data" | "state", uri: string, problem: string): SourceError {
  return new SourceError("io-failed", `The ${kind} stream to the runner at ${uri} broke: ${problem}.`, {
    uri,
    reason: "beam-runner",
  });
}
