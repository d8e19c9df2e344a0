import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";
import type { Sdk } from "../sdk.js";

/** Maximum number of finished bundles that a data channel remembers, so that it can drop their late data. */
const MAX_ENDED = 1000;

/**
 * The SDK handles every message of the data stream in a separate asynchronous call. The next message, or the end of the stream,
 * can therefore overtake a slow element. Elements are then lost, or the bundle hangs. This happens on Flink, and on any
 * runner under load. If a message has data of two bundles, one bundle waits for the other. The data of a failed bundle is never
 * freed.
 *
 * This repair gives each source of a bundle an inbox, which holds messages until the source is registered. The inbox then
 * passes the messages on, one after the other, in the order of their arrival.
 */
export const deliverDataInOrder: Repair = {
  defect:
    "later data, or the end of a stream, overtakes earlier data, and the data of failed bundles is never freed",
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

/** The part of the SDK's source operator that we use. */
interface Source {
  readonly multiplexingDataChannel: DataChannel;
}

/** A queue of the messages for one source of one bundle. Its methods do not wait until a message has been handled. */
interface Inbox extends Consumer {
  /** Passes all messages to `consumer`, those in the queue first. */
  open(consumer: Consumer): void;
}

/** State of a data channel. */
interface ChannelState {
  /** The inboxes by bundle and transform. This is the SDK's own map of consumers. */
  readonly inboxes: Map<string, Map<string, Inbox>>;
  /** The most recently finished bundles, oldest first. There are at most {@link MAX_ENDED}. */
  readonly ended: Set<string>;
}

const endedBundles = new WeakMap<DataChannel, Set<string>>();

function stateOf(channel: DataChannel): ChannelState {
  const ended = endedBundles.get(channel) ?? new Set();
  endedBundles.set(channel, ended);
  return { inboxes: channel.consumers as unknown as ChannelState["inboxes"], ended };
}

/** Discards the inboxes of a finished bundle, and remembers the bundle. */
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
    // After a failure, `last` stays rejected, so all later steps are skipped. Otherwise `close` would close the consumer as if
    // the bundle had succeeded. The empty handler only prevents an unhandled rejection.
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

/** Reports an error as soon as the source is registered, ahead of queued messages. */
async function reportTo(opened: Promise<Consumer>, error: unknown): Promise<void> {
  (await opened).onError(error);
}

/** Returns a step that also reports its error to the consumer. */
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
