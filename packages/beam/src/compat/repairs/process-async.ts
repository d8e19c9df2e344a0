import { replaceMethod } from "../replace-method.js";
import type { Repair } from "../repair.js";
import type { Sdk } from "../sdk.js";

/** A DoFn that processes elements asynchronously. */
export interface AsyncDoFn<Input, Output, Context = undefined> {
  /** Yields the outputs for one element, in order. An output is requested only after the one before it has been passed on. */
  processAsync(element: Input, context: Context): AsyncIterable<Output>;
}

/**
 * The SDK iterates over the result of `process` synchronously, so an asynchronous `process` throws. This repair lets a DoFn have
 * a method `processAsync` instead. The SDK then passes on one output at a time, so only one of them is in memory.
 */
export const processAsync: Repair = {
  defect: "a DoFn cannot be asynchronous",
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
          // A caller that awaits `turn` gets the error. Without this line, an error that no caller awaits would end the process.
          turn.catch(() => {});
          return turn;
        },
    );
  },
};

/**
 * The pending work of each operator. Each element waits until the one before it is processed. Otherwise an earlier step could
 * pass on thousands of elements at once, each of which would open a file.
 */
const turns = new WeakMap<Operator, Promise<void>>();

/** The part of the SDK's DoFn operator that we use. */
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

/**
 * Processes an element. A context may depend on the window, so a DoFn with a context receives the element once for each window.
 */
async function processElement(operator: Operator, element: WindowedValue): Promise<void> {
  const { windows } = element;
  if (operator.augmentedContext === undefined || windows.length === 1)
    return processInWindows(operator, element);
  for (const window of windows) await processInWindows(operator, { ...element, windows: [window] });
}

/** Processes an element once, for all of its windows. */
async function processInWindows(operator: Operator, element: WindowedValue): Promise<void> {
  const { doFn, augmentedContext, paramProvider, receiver } = operator;
  const pending = paramProvider.setCurrentValue(element);
  if (pending !== null) {
    await pending;
    // The first call only fetched the values of the context. This call sets them.
    await paramProvider.setCurrentValue(element);
  }
  const { windows, pane, timestamp } = element;
  for await (const value of doFn.processAsync?.(element.value, augmentedContext) ?? []) {
    await receiver.receive({ value, windows, pane, timestamp });
  }
}

/** Creates a DoFn operator, only to find the operator's class, which the SDK does not export. */
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
