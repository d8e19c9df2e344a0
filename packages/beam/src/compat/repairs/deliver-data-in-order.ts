import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";
import type { Sdk } from "../sdk.js";

/** Instruction ids of bundles that have ended and whose late data is dropped, per data channel. */
const MAX_ENDED = 1000;

/**
 * The SDK handles every message of the data stream in its own asynchronous call. A slow element lets the next message, or the
 * end of the stream, overtake it: elements are lost, or the bundle hangs (Flink, and any runner under load). A bundle whose data
 * shares a message with that of a slow one waits for it. Data of a bundle that has failed is kept for ever.
 *
 * Gives each source of a bundle an inbox, which hands over what arrives in its order and once the source is there.
 */
export const deliverDataInOrder: Repair = {
  defect: "data and the end of a stream overtake each other, and data of failed bundles is kept",
  apply({ data: { MultiplexingDataChannel }, worker: { BundleProcessor } }) {
    const { prototype } = MultiplexingDataChannel;
    prototype.getConsumer = function (bundle, transform) {
      const { inboxes, ended } = stateOf(this);
      if (ended.has(bundle)) return createInbox();
      const ofBundle = inboxes.get(bundle) ?? new Map<string, Inbox>();
      inboxes.set(bundle, ofBundle);
      const inbox = ofBundle.get(transform) ?? createInbox();
      ofBundle.set(transform, inbox);
      return inbox;
    };
    prototype.registerConsumer = async function (bundle, transform, consumer) {
      (this.getConsumer(bundle, transform) as Inbox).open(consumer);
    };
    prototype.unregisterConsumer = function (bundle, transform) {
      stateOf(this).inboxes.get(bundle)?.delete(transform);
    };
    replaceMethod(
      BundleProcessor.prototype,
      "process",
      (process) =>
        async function (this: typeof BundleProcessor.prototype, bundle) {
          try {
            await process.call(this, bundle);
          } finally {
            for (const operator of this.topologicallyOrderedOperators as readonly Partial<Source>[]) {
              if (operator.multiplexingDataChannel !== undefined)
                end(operator.multiplexingDataChannel, bundle);
            }
          }
        },
    );
  },
};

type DataChannel = InstanceType<Sdk["data"]["MultiplexingDataChannel"]>;
type Consumer = Parameters<DataChannel["registerConsumer"]>[2];

/** The part of the SDK's operator of a source that is used here. */
interface Source {
  readonly multiplexingDataChannel: DataChannel;
}

/** What arrives for one source of one bundle. Its methods return at once. */
interface Inbox extends Consumer {
  /** Hands over what has arrived, and what arrives from now on. */
  open(consumer: Consumer): void;
}

/** The inboxes of a channel. The SDK's own map of consumers, by bundle and transform, holds them. */
interface ChannelState {
  readonly inboxes: Map<string, Map<string, Inbox>>;
  readonly ended: Set<string>;
}

const endedBundles = new WeakMap<DataChannel, Set<string>>();

function stateOf(channel: DataChannel): ChannelState {
  const ended = endedBundles.get(channel) ?? new Set();
  endedBundles.set(channel, ended);
  return { inboxes: channel.consumers as unknown as ChannelState["inboxes"], ended };
}

/** Forgets a bundle. */
function end(channel: DataChannel, bundle: string): void {
  const { inboxes, ended } = stateOf(channel);
  inboxes.delete(bundle);
  ended.add(bundle);
  const [oldest] = ended;
  if (ended.size > MAX_ENDED && oldest !== undefined) ended.delete(oldest);
}

function createInbox(): Inbox {
  let open: (consumer: Consumer) => void = () => {};
  const opened = new Promise<Consumer>((resolve) => (open = resolve));
  let last: Promise<unknown> = opened;
  const inTurn = (step: (consumer: Consumer) => Promise<void> | void): void => {
    last = last.then(async () => step(await opened));
    // After a failure the remaining steps fail with it, and the consumer must not also end well.
    last.catch(() => {});
  };
  return {
    open,
    sendData: async (bytes) => inTurn(reportingErrors((consumer) => consumer.sendData(bytes))),
    sendTimers: async (family, timers) =>
      inTurn(reportingErrors((consumer) => consumer.sendTimers(family, timers))),
    close: () => inTurn((consumer) => consumer.close()),
    onError: (error: unknown) => {
      void reportTo(opened, error);
    },
  };
}

async function reportTo(opened: Promise<Consumer>, error: unknown): Promise<void> {
  (await opened).onError(error);
}

function reportingErrors(step: (consumer: Consumer) => Promise<void>): (consumer: Consumer) => Promise<void> {
  return async (consumer) => {
    try {
      await step(consumer);
    } catch (error) {
      consumer.onError(error);
      throw error;
    }
  };
}
