import type { Repair } from "../repair.js";

/** Buffered output is sent from this many bytes on, as in the SDK. */
const FLUSH_BYTES = 1_000_000;

/**
 * The SDK's sink sends its buffer, waits, and only then replaces it. An element that arrives while it waits is encoded into
 * the buffer that is being sent, and the whole buffer is sent again: records are duplicated, and the job may never end. Swaps
 * the buffer before sending.
 *
 * Never waits for the stream to drain: Java runners read a bundle's output only after its response, once 100 messages are
 * queued, so that waiting would deadlock. The output of a bundle is therefore held in memory until the runner takes it.
 */
export const sendOnce: Repair = {
  defect: "output is sent again, and jobs never end",
  apply({ operators: { registerOperator }, fnApi, protobuf: { Writer } }) {
    registerOperator(
      "beam:runner:sink:v1",
      class {
        readonly transformId: string;
        readonly #context: Context;
        readonly #channels: Channels;
        readonly #coder: ReturnType<Context["pipelineContext"]["getCoder"]>;
        #channel: Channel | undefined;
        #buffer = new Writer();

        constructor(transformId: string, transform: Transform, context: Context) {
          const port = fnApi.RemoteGrpcPort.fromBinary(transform.spec?.payload as Uint8Array);
          this.transformId = transformId;
          this.#context = context;
          this.#channels = context.getDataChannel(port.apiServiceDescriptor?.url);
          this.#coder = context.pipelineContext.getCoder(port.coderId);
        }

        async startBundle(): Promise<void> {
          this.#channel = this.#channels.getSendChannel(this.#context.getBundleId(), this.transformId);
          this.#buffer = new Writer();
        }

        process(value: unknown): null {
          this.#coder.encode(value, this.#buffer as never, "needsDelimiters" as never);
          if (this.#buffer.len > FLUSH_BYTES) this.#flush();
          return null;
        }

        async finishBundle(): Promise<void> {
          this.#flush();
          this.#channel?.close();
        }

        #flush(): void {
          if (this.#buffer.len === 0) return;
          const full = this.#buffer;
          this.#buffer = new Writer();
          // Resolves at once: the stream queues.
          void this.#channel?.sendData(full.finish());
        }
      },
    );
  },
};

type OperatorClass = Parameters<typeof import("apache-beam/worker/operators").registerOperator>[1];
type Transform = ConstructorParameters<OperatorClass>[1];
type Context = ConstructorParameters<OperatorClass>[2];
type Channels = ReturnType<Context["getDataChannel"]>;
type Channel = ReturnType<Channels["getSendChannel"]>;
