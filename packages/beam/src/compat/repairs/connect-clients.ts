import type { Repair } from "../repair.js";
import type { Sdk } from "../sdk.js";

/**
 * HTTP/2 window of a stream. Prism waits for a bundle's whole input to be taken, which stalls above the window: 20 MB with
 * gRPC's default, 400 MB with 16 MiB.
 */
const WINDOW_BYTES = 1000 * 1024 * 1024;

/** Elements of any size; gRPC's default refuses 4 MiB and more, and the bundle then hangs. */
const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc-node.flow_control_window": WINDOW_BYTES,
};

type Client = "BeamFnDataClient" | "BeamFnStateClient" | "BeamFnControlClient";

/**
 * The SDK opens its channels to the runner with gRPC's defaults, sends the worker's id on the control stream but not with the
 * call for a bundle's descriptor, which fails where workers share a port (prism), and leaves the control stream without a
 * listener for errors, so that the process dies when the runner goes away.
 */
export const connectClients: Repair = {
  defect: "elements above 4 MiB hang, prism finds no worker, and workers die with the runner",
  apply(sdk) {
    reconnect(sdk, "BeamFnDataClient", ["data"]);
    reconnect(sdk, "BeamFnStateClient", ["state"]);
    reconnect(sdk, "BeamFnControlClient", ["control", "getProcessBundleDescriptor"]);
    sendWorkerId(sdk);
  },
};

/** Lets the methods of a client run on a channel with {@link CHANNEL_OPTIONS}, opened at the first call. */
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

/** Sends the metadata of the control stream with calls for descriptors, and listens to the stream's errors. */
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
      process.emitWarning(`The runner closed the control channel: ${String(error)}`, "BeamWarning");
    });
    return stream;
  };
  prototype.getProcessBundleDescriptor = function (this: object, request, callback) {
    return getProcessBundleDescriptor.call(this as never, request, metadataOf.get(this), callback);
  };
}

interface Connected {
  getChannel(): { getTarget(): string };
}

interface ControlStream {
  on(event: "error", listener: (error: unknown) => void): unknown;
}
