import { replaceMethod } from "../replace-method.js";
import type { Repair } from "../repair.js";
import type { Sdk } from "../sdk.js";

/**
 * The direct runner starts a pipeline with one element, but does not wait until the element is processed. If a DoFn is
 * asynchronous, the job ends as DONE before the DoFn yields anything, with an empty result. This repair waits until the element
 * is processed.
 */
export const awaitImpulse: Repair = {
  defect: "on the direct runner, jobs with asynchronous DoFns end too early, with empty results",
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

/** The direct runner's operator that emits the first element. */
interface Impulse {
  receiver: { receive(element: unknown): Promise<void> | null };
  startBundle(): Promise<void>;
}

/** Creates an {@link Impulse} to get its class, which the SDK does not export. */
function probe({ internal, operators }: Sdk): object {
  const transform = { inputs: {}, outputs: { output: "output" }, spec: { urn: internal.impulse.urn } };
  return operators.createOperator("probe", {
    descriptor: { transforms: { probe: transform } },
    getReceiver: () => ({}),
  } as never);
}
