import { replaceMethod } from "../replace-method.js";
import type { Repair } from "../repair.js";
import type { Sdk } from "../sdk.js";

/**
 * The direct runner starts a pipeline with an element that it does not wait for. The job ends before an asynchronous DoFn has
 * given anything: its result is empty, and it ends well. Waits for that element.
 */
export const awaitImpulse: Repair = {
  defect: "on the direct runner, jobs end before asynchronous DoFns do, with an empty result",
  apply(sdk) {
    const prototype = Object.getPrototypeOf(probe(sdk)) as Impulse;
    replaceMethod(
      prototype,
      "startBundle",
      (startBundle) =>
        async function (this: Impulse) {
          const { receiver } = this;
          const pending: (Promise<void> | null)[] = [];
          this.receiver = {
            receive(element) {
              pending.push(receiver.receive(element));
              return null;
            },
          };
          try {
            await startBundle.call(this);
          } finally {
            this.receiver = receiver;
          }
          for (const element of pending) await element;
        },
    );
  },
};

interface Impulse {
  receiver: { receive(element: unknown): Promise<void> | null };
  startBundle(): Promise<void>;
}

/** The direct runner's operator, made to find its class. Its module, which is loaded by now, has registered it. */
function probe({ internal, operators }: Sdk): object {
  const transform = { inputs: {}, outputs: { output: "output" }, spec: { urn: internal.impulse.urn } };
  return operators.createOperator("probe", {
    descriptor: { transforms: { probe: transform } },
    getReceiver: () => ({}),
  } as never);
}
