import type { Repair } from "../repair.js";
import type { Sdk } from "../sdk.js";

/**
 * HTTP/2 flow-control window of a stream, in bytes. If the input of a bundle is much larger than the window, prism
 * stalls: at 20 MB with gRPC's default window, and at 400 MB with a window of 16 MiB.
 */
const WINDOW_BYTES = 1000 * 1024 * 1024;

/** Options that allow elements of any size. With gRPC's default limit of 4 MiB, a bundle with a larger element hangs. */
const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc-node.flow_control_window": WINDOW_BYTES,
};

type Client = "BeamFnDataClient" | "BeamFnStateClient" | "BeamFnControlClient";

/**
 * Repairs three defects of the SDK's connections to the runner:
 * - The channels have gRPC's default limits.
 * - The SDK sends the worker's id on the control stream, but not with the call for a bundle's descriptor. Prism rejects a call
 *   without the id.
 * - The SDK does not listen for errors of the control stream, so the process crashes when the runner disappears.
 */
export const connectClients: Repair = {
  defect:
    "jobs with elements above 4 MiB hang, prism finds no worker, and workers crash when the runner disappears",
  apply(sdk) {
    reconnect(sdk, "BeamFnDataClient", ["data"]);
    reconnect(sdk, "BeamFnStateClient", ["state"]);
    reconnect(sdk, "BeamFnControlClient", ["control", "getProcessBundleDescriptor"]);
    sendWorkerId(sdk);
  },
};

/** Makes the methods of a client use a new channel, which has {@link CHANNEL_OPTIONS} and opens at the first call. */
function reconnect({ clients, grpc }: Sdk, name: Client, methods: readonly string[]): void {
  const Client = clients[name] as unknown as new (...args: unknown[]) => object;
  const prototype = Client.prototype as Record<string, (...args: unknown[]) => unknown>;
  const replacements = new WeakMap<object, object>();
  for (const method of methods) {
    const original = prototype[method] as (...args: unknown[]) => unknown;
    prototype[method] = function (this: Connected, ...args) {
      let client = replacements.get(this);
      if (client === undefined) {
        const address = this.getChannel()
          .getTarget()
          .replace(/^dns:\/*/, "");
        client = new Client(address, grpc.ChannelCredentials.createInsecure(), CHANNEL_OPTIONS, {});
        replacements.set(this, client);
      }
      return original.apply(client, args);
    };
  }
}

/** Sends the metadata of the control stream with calls for descriptors too, and turns errors of that stream into warnings. */
function sendWorkerId({ clients: { BeamFnControlClient } }: Sdk): void {
  const prototype = BeamFnControlClient.prototype as unknown as Record<
    "control" | "getProcessBundleDescriptor",
    (...args: unknown[]) => ControlStream
  >;
  const { control, getProcessBundleDescriptor } = prototype;
  const metadataOf = new WeakMap<object, unknown>();
  prototype.control = function (this: object, metadata, ...rest) {
    metadataOf.set(this, metadata);
    const stream = control.call(this as never, metadata, ...rest);
    stream.on("error", (error) => {
      process.emitWarning(`The control channel to the runner broke: ${String(error)}`, "BeamWarning");
    });
    return stream;
  };
  prototype.getProcessBundleDescriptor = function (this: object, request, callback) {
    return getProcessBundleDescriptor.call(this as never, request, metadataOf.get(this), callback);
  };
}

/** A gRPC client, with its channel. */
interface Connected {
  getChannel(): { getTarget(): string };
}

interface ControlStream {
  on(event: "error", listener: (error: unknown) => void): unknown;
}
