import { replaceMethod } from "../replace-method.js";
import type { Repair } from "../repair.js";
import type { Sdk } from "../sdk.js";

/** A DoFn that waits for files, decoders or the receiver of its elements. */
export interface AsyncDoFn<Input, Output, Context = undefined> {
  /** Elements for one input, in order. The next one is asked for when the last has been taken. */
  processAsync(element: Input, context: Context): AsyncIterable<Output>;
}

/**
 * The SDK calls `process` of a DoFn and iterates over what it returns, without waiting: an asynchronous `process` throws. Lets a
 * DoFn have `processAsync`, whose elements go on one at a time, so that no more than one is held.
 */
export const processAsync: Repair = {
  defect: "a DoFn cannot wait for anything",
  apply(sdk) {
    const prototype = Object.getPrototypeOf(probe(sdk)) as Operator;
    replaceMethod(
      prototype,
      "process",
      (process) =>
        function (this: Operator, element) {
          if (this.doFn.processAsync === undefined) return process.call(this, element);
          const turn = (turns.get(this) ?? Promise.resolve()).then(() => processElement(this, element));
          turns.set(this, turn);
          // Whoever handed over the element gets the error, if it still waits. Unhandled, the error would end the process.
          turn.catch(() => {});
          return turn;
        },
    );
  },
};

/**
 * The last element of each operator. Elements take turns: what comes before may hand over thousands without waiting, and each
 * would open its file at once.
 */
const turns = new WeakMap<Operator, Promise<void>>();

/** The part of the SDK's operator of DoFns that is used here. */
interface Operator {
  readonly doFn: Partial<AsyncDoFn<unknown, unknown, unknown>>;
  readonly augmentedContext: unknown;
  readonly paramProvider: { setCurrentValue(element: WindowedValue | undefined): Promise<void> | null };
  readonly receiver: { receive(element: WindowedValue): Promise<void> | null };
  process(element: WindowedValue): Promise<void> | null;
}

interface WindowedValue {
  readonly value: unknown;
  readonly windows: readonly unknown[];
  readonly pane: unknown;
  readonly timestamp: unknown;
}

/** Processes an element for each of its windows in turn if the DoFn has a context, since that may depend on the window. */
async function processElement(operator: Operator, element: WindowedValue): Promise<void> {
  const { windows } = element;
  if (operator.augmentedContext === undefined || windows.length === 1)
    return processInWindows(operator, element);
  for (const window of windows) await processInWindows(operator, { ...element, windows: [window] });
}

async function processInWindows(operator: Operator, element: WindowedValue): Promise<void> {
  const { doFn, augmentedContext, paramProvider, receiver } = operator;
  const pending = paramProvider.setCurrentValue(element);
  if (pending !== null) {
    await pending;
    // The second call finds what the first has fetched.
    await paramProvider.setCurrentValue(element);
  }
  const { windows, pane, timestamp } = element;
  for await (const value of doFn.processAsync?.(element.value, augmentedContext) ?? []) {
    await receiver.receive({ value, windows, pane, timestamp });
  }
}

/** An operator of a DoFn, made to find its class, which the SDK does not export. */
function probe({ operators, runnerApi, serialize, urns }: Sdk): object {
  const payload = serialize.serializeFn({ doFn: {}, context: undefined });
  const doFn = runnerApi.FunctionSpec.create({ urn: urns.SERIALIZED_JS_DOFN_INFO, payload });
  const spec = {
    urn: "beam:transform:pardo:v1",
    payload: runnerApi.ParDoPayload.toBinary(runnerApi.ParDoPayload.create({ doFn })),
  };
  const context = {
    descriptor: { transforms: { probe: { inputs: {}, outputs: { output: "output" }, spec } } },
    getReceiver: () => ({}),
    getStateProvider: () => undefined,
  };
  return operators.createOperator("probe", context as never);
}
