import { replaceMethod } from "../replace-method.js";
import type { Repair } from "../repair.js";
import type { Sdk } from "../sdk.js";

/**
 * The direct runner does not wait for the element that starts a pipeline. If a DoFn is asynchronous, the job ends as DONE before
 * the DoFn yields anything, with an empty result. This repair waits for that element.
 */
export const awaitImpulse: Repair = {
  defect: "on the direct runner, jobs end before asynchronous DoFns do, with empty results",
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

/** Creates the operator of the direct runner to find its class, which the SDK does not export. */
function probe({ internal, operators }: Sdk): object {
  const transform = { inputs: {}, outputs: { output: "output" }, spec: { urn: internal.impulse.urn } };
  return operators.createOperator("probe", {
    descriptor: { transforms: { probe: transform } },
    getReceiver: () => ({}),
  } as never);
}
