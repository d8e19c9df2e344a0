import { createRequire } from "node:module";
import type { Sdk } from "../../src/compat/sdk.js";
import type { FnApiRunner, Message, Stream } from "./runner.js";

/** Variable parts of a descriptor. */
export interface BundleShape {
  /** The function that processes all elements. */
  readonly doFn: object;
  readonly context?: object;
  /** Ids of the sources. Default: one source, `source`. */
  readonly sources?: readonly string[];
  /** Id of a side input of the function, if it has one. */
  readonly sideInput?: string;
  /** URN of the coder of elements. Default: varint. */
  readonly elementCoder?: string;
  /** URN of the coder of the output, and URNs of that coder's components. Default: the coder of the elements. */
  readonly outputCoder?: readonly [urn: string, ...components: string[]];
}

/** Gives the runner a descriptor of sources, one function and a sink, for elements in the global window. */
export function describeBundle(sdk: Sdk, runner: FnApiRunner, id: string, shape: BundleShape): void {
  const { fnApi, runnerApi, serialize, urns } = sdk;
  const { doFn, context, sources = ["source"], sideInput, elementCoder = "beam:coder:varint:v1" } = shape;
  const [outputUrn, ...outputComponents] = shape.outputCoder ?? [elementCoder];
  const apiServiceDescriptor = { url: runner.address };
  const portOf = (coderId: string): Uint8Array =>
    fnApi.RemoteGrpcPort.toBinary(fnApi.RemoteGrpcPort.create({ apiServiceDescriptor, coderId }));
  const functionSpec = {
    urn: urns.SERIALIZED_JS_DOFN_INFO,
    payload: serialize.serializeFn({ doFn, context }),
  };
  const sideInputs =
    sideInput === undefined
      ? {}
      : {
          [sideInput]: {
            accessPattern: { urn: "beam:side_input:iterable:v1", payload: new Uint8Array(0) },
            windowMappingFn: { urn: urns.GLOBAL_WINDOW_MAPPING_FN_URN, payload: new Uint8Array(0) },
          },
        };
  const parDo = runnerApi.ParDoPayload.toBinary(
    runnerApi.ParDoPayload.create({ doFn: runnerApi.FunctionSpec.create(functionSpec), sideInputs }),
  );
  const transform = (
    urn: string,
    payload: Uint8Array,
    inputs: Record<string, string>,
    outputs: Record<string, string>,
  ): object => runnerApi.PTransform.create({ spec: { urn, payload }, inputs, outputs });
  const transforms = Object.fromEntries([
    ...sources.map((source) => [
      source,
      transform("beam:runner:source:v1", portOf("windowed"), {}, { out: "in" }),
    ]),
    [
      "fn",
      transform(
        "beam:transform:pardo:v1",
        parDo,
        { in: "in", ...(sideInput === undefined ? {} : { [sideInput]: "side" }) },
        { out: "out" },
      ),
    ],
    ["sink", transform("beam:runner:sink:v1", portOf("windowedOutput"), { in: "out" }, {})],
  ] as [string, object][]);
  const coder = (urn: string, componentCoderIds: readonly string[] = []): object =>
    runnerApi.Coder.create({
      spec: { urn, payload: new Uint8Array(0) },
      componentCoderIds: [...componentCoderIds],
    });
  const collection = (coderId: string): object =>
    runnerApi.PCollection.create({ coderId, windowingStrategyId: "windows" });
  runner.descriptors.set(
    id,
    fnApi.ProcessBundleDescriptor.create({
      id,
      transforms,
      pcollections: { in: collection("element"), out: collection("output"), side: collection("element") },
      coders: {
        element: coder(elementCoder),
        global: coder("beam:coder:global_window:v1"),
        windowed: coder("beam:coder:windowed_value:v1", ["element", "global"]),
        output: coder(
          outputUrn,
          outputComponents.map((_, at) => `component${at}`),
        ),
        ...Object.fromEntries(outputComponents.map((urn, at) => [`component${at}`, coder(urn)])),
        windowedOutput: coder("beam:coder:windowed_value:v1", ["output", "global"]),
      },
      windowingStrategies: { windows: runnerApi.WindowingStrategy.create({ windowCoderId: "global" }) },
      stateApiServiceDescriptor: apiServiceDescriptor,
    }),
  );
}

/** Encodes elements in the global window. */
export function encodeElements(sdk: Sdk, values: readonly unknown[], elementCoder?: unknown): Uint8Array {
  const coder = windowedCoder(sdk, elementCoder);
  const { GlobalWindow } = createRequire(import.meta.url)("apache-beam/values") as Values;
  const writer = new sdk.protobuf.Writer();
  for (const value of values) {
    coder.encode(
      {
        value,
        windows: [new GlobalWindow()],
        pane: sdk.requiredCoders.PaneInfoCoder.ONE_AND_ONLY_FIRING,
        timestamp: new GlobalWindow().maxTimestamp(),
      },
      writer as never,
      sdk.codersRegistry.Context.needsDelimiters,
    );
  }
  return Uint8Array.from(writer.finish());
}

type Values = typeof import("apache-beam/values");

/** Waits for the end of a bundle's output stream, which may come after the response, and resolves to the values of the output. */
export async function outputOf(
  sdk: Sdk,
  data: Stream,
  bundle: string,
  elementCoder?: unknown,
): Promise<unknown[]> {
  await data.find((message) =>
    (message["data"] as readonly Message[]).some(
      (part) => part["instructionId"] === bundle && part["isLast"] === true,
    ),
  );
  const coder = windowedCoder(sdk, elementCoder);
  return data.received
    .flatMap((message) => message["data"] as readonly Message[])
    .filter(({ instructionId }) => instructionId === bundle)
    .flatMap((part) => {
      const reader = new sdk.protobuf.Reader(part["data"] as Uint8Array) as unknown as {
        pos: number;
        len: number;
      };
      const values: unknown[] = [];
      while (reader.pos < reader.len) {
        const element = coder.decode(reader as never, sdk.codersRegistry.Context.needsDelimiters) as {
          readonly value: unknown;
        };
        values.push(element.value);
      }
      return values;
    });
}

function windowedCoder({ coders, requiredCoders }: Sdk, elementCoder: unknown = new coders.VarIntCoder()) {
  return new requiredCoders.FullWindowedValueCoder(
    elementCoder as never,
    new requiredCoders.GlobalWindowCoder(),
  );
}

/** Builders of Fn API messages. */
export const messages = {
  processBundle: (instructionId: string, processBundleDescriptorId: string): Message => ({
    instructionId,
    request: {
      oneofKind: "processBundle",
      processBundle: { processBundleDescriptorId, cacheTokens: [], elements: undefined },
    },
  }),
  data: (...parts: readonly Message[]): Message => ({ data: parts, timers: [] }),
  part: (instructionId: string, data: Uint8Array, isLast: boolean, transformId = "source"): Message => ({
    instructionId,
    transformId,
    data,
    isLast,
  }),
};

/** Resolves to the response to an instruction. */
export function responseTo(control: Stream, instruction: string): Promise<Message> {
  return control.find(({ instructionId }) => instructionId === instruction);
}
