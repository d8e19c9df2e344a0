import type { Repair } from "../repair.js";

/** Buffered output is sent when it exceeds this many bytes, as in the SDK. */
const FLUSH_BYTES = 1_000_000;

/**
 * The SDK's sink sends its buffer, waits for the stream, and only then replaces the buffer. An element that arrives in the
 * meantime is added to the old buffer, which is then sent again. Records are duplicated, and the job may never end. This repair
 * replaces the buffer before it sends the old one.
 *
 * The repaired sink never waits for the stream to drain. Java runners queue 100 messages, and read further messages only after
 * the bundle's response, so waiting would deadlock. The output of a bundle therefore stays in memory until the runner reads it.
 */
export const sendOnce: Repair = {
  defect: "output is sent twice, and jobs may never end",
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
          // The promise resolves at once, because the stream queues messages.
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
