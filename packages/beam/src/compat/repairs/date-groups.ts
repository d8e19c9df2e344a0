import type { Instant } from "apache-beam/values";
import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";
import type { Sdk } from "../sdk.js";

/**
 * A windowing strategy sets the timestamp of a group: the end of its window, or the timestamp of its earliest or latest element.
 * The direct runner supports only the end of the window, and throws for the other two. This repair adds them.
 * @see Beam's `beam_runner_api.proto`, "OutputTime"
 */
export const dateGroups: Repair = {
  defect: "the direct runner rejects groups with the timestamp of their earliest or latest element",
  apply(sdk) {
    const { directRunner, internal, operators, runnerApi } = sdk;
    const { EARLIEST_IN_PANE, LATEST_IN_PANE } = runnerApi.OutputTime_Enum;
    const orders = new Map<number, TimeOrder>([
      [EARLIEST_IN_PANE, (a, b) => a.compare(b) < 0],
      [LATEST_IN_PANE, (a, b) => a.compare(b) > 0],
    ]);
    const GroupByKey = groupByKeyOf(sdk);
    operators.registerOperatorConstructor(internal.groupByKey.urn, (id, transform, context) => {
      const strategyId = strategyIdOf(transform, context);
      const isBefore = orders.get(context.descriptor.windowingStrategies[strategyId]?.outputTime ?? 0);
      if (isBefore === undefined) return new GroupByKey(id, transform, context);
      return dated(new GroupByKey(id, transform, withEndOfWindow(sdk, context, strategyId)), isBefore);
    });
    const supported = new Set(Array.from(orders.keys(), (outputTime) => `OutputTime=${outputTime}`));
    replaceMethod(
      Object.getPrototypeOf(directRunner.directRunner()) as FeatureCheck,
      "unsupportedFeatures",
      (unsupportedFeatures) =>
        function (this: FeatureCheck, ...args) {
          return unsupportedFeatures.apply(this, args).filter((feature) => !supported.has(feature));
        },
    );
  },
};

type Operators = Sdk["operators"];
type OperatorConstructor = Parameters<Operators["registerOperatorConstructor"]>[1];
type Operator = ReturnType<OperatorConstructor>;
type OperatorClass = new (...args: Parameters<OperatorConstructor>) => Operator;
type Transform = Parameters<OperatorConstructor>[1];
type Context = Parameters<OperatorConstructor>[2];
type TimeOrder = (a: Instant, b: Instant) => boolean;

/**
 * The part of the direct runner that we use. The SDK's default runner uses the direct runner only if `unsupportedFeatures`
 * returns [].
 */
interface FeatureCheck {
  unsupportedFeatures(...args: unknown[]): string[];
}

/** An element of a collection of keys and values. */
interface Entry<Value> {
  readonly value: { readonly key: unknown; readonly value: Value };
  readonly timestamp: Instant;
}

/** The direct runner's operator that groups by key. */
interface Grouping {
  receiver: { receive(group: Entry<readonly unknown[]>): Promise<void> | null };
  process(element: Entry<unknown>): Promise<void> | null;
}

/**
 * Gives each group the timestamp of the element that `isBefore` orders first. During the grouping, values carry their timestamps.
 */
function dated(operator: Operator, isBefore: TimeOrder): Operator {
  // The SDK's types hide the members of its operators.
  const grouping = operator as unknown as Grouping;
  const { receiver } = grouping;
  const process = grouping.process.bind(grouping);
  grouping.process = (element) => {
    const { key, value } = element.value;
    const { timestamp } = element;
    return process({ ...element, value: { key, value: { value, timestamp } } });
  };
  grouping.receiver = {
    receive(group) {
      const { key, value } = group.value;
      const elements = value as readonly { readonly value: unknown; readonly timestamp: Instant }[];
      const timestamp = elements
        .map((element) => element.timestamp)
        .reduce((a, b) => (isBefore(b, a) ? b : a));
      return receiver.receive({
        ...group,
        value: { key, value: elements.map((element) => element.value) },
        timestamp,
      });
    },
  };
  return operator;
}

/** Returns the id of the windowing strategy of a transform's input. */
function strategyIdOf({ inputs }: Transform, { descriptor }: Context): string {
  const [input = ""] = Object.values(inputs);
  return descriptor.pcollections[input]?.windowingStrategyId ?? "";
}

/**
 * Returns a variant of the context in which groups of the windowing strategy `id` get the end of their window as their timestamp.
 */
function withEndOfWindow({ runnerApi }: Sdk, context: Context, id: string): Context {
  const { descriptor } = context;
  const strategy = runnerApi.WindowingStrategy.clone(descriptor.windowingStrategies[id] as never);
  strategy.outputTime = runnerApi.OutputTime_Enum.END_OF_WINDOW;
  const windowingStrategies = { ...descriptor.windowingStrategies, [id]: strategy };
  return Object.create(context, { descriptor: { value: { ...descriptor, windowingStrategies } } }) as Context;
}

/**
 * Returns the class of the operator that groups by key. The SDK does not export it, so this function creates an
 * operator to find it.
 */
function groupByKeyOf({ internal, operators, runnerApi }: Sdk): OperatorClass {
  const strategy = {
    mergeStatus: runnerApi.MergeStatus_Enum.NON_MERGING,
    outputTime: runnerApi.OutputTime_Enum.END_OF_WINDOW,
  };
  const transform = {
    inputs: { input: "i" },
    outputs: { output: "o" },
    spec: { urn: internal.groupByKey.urn },
  };
  const probe = operators.createOperator("probe", {
    descriptor: {
      transforms: { probe: transform },
      pcollections: { i: { coderId: "c", windowingStrategyId: "w" } },
      coders: { c: { componentCoderIds: [] } },
      windowingStrategies: { w: strategy },
    },
    getReceiver: () => ({}),
    pipelineContext: { getCoder: () => ({}) },
  } as never);
  return probe.constructor as OperatorClass;
}
