import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * The SDK handles every message of the data stream in its own asynchronous call. A slow element lets the next message, or the
 * end of the stream, overtake it: elements are lost, or the bundle hangs (Flink, and any runner under load). Queues what comes
 * for a consumer.
 */
export const deliverDataInOrder: Repair = {
  defect: "data and the end of a stream overtake each other",
  apply({ data: { MultiplexingDataChannel } }) {
    const { prototype } = MultiplexingDataChannel;
    replaceMethod(
      prototype,
      "registerConsumer",
      (registerConsumer) =>
        function (this: typeof prototype, bundleId, transformId, consumer) {
          let last = Promise.resolve();
          const inTurn = (step: () => Promise<void>): Promise<void> => (last = last.then(step));
          return registerConsumer.call(this, bundleId, transformId, {
            sendData: (bytes) => inTurn(() => consumer.sendData(bytes)),
            sendTimers: (family, timers) => inTurn(() => consumer.sendTimers(family, timers)),
            close: () => {
              // After a failure the consumer has had its `onError`, and must not also end well.
              last.then(
                () => consumer.close(),
                () => {},
              );
            },
            onError: (error: unknown) => consumer.onError(error),
          });
        },
    );
  },
};
