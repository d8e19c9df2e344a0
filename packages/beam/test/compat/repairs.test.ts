import { createRequire } from "node:module";
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { repairs } from "../../src/compat/install-repairs.js";
import { loadSdk, type Sdk } from "../../src/compat/sdk.js";

let sdk: Sdk;
beforeAll(() => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  sdk = loadSdk();
  for (const method of ["log", "error"] as const) jest.spyOn(console, method).mockImplementation(() => {});
});

/**
 * Runs a scenario without and then with a repair. Each test checks both outcomes, so a repair that is no longer needed fails its
 * test. Repairs of earlier tests stay applied.
 */
async function withAndWithout<Outcome>(
  name: keyof typeof repairs,
  scenario: () => Outcome | Promise<Outcome>,
): Promise<{ readonly published: Outcome; readonly repaired: Outcome }> {
  const published = await scenario();
  repairs[name]?.apply(sdk);
  return { published, repaired: await scenario() };
}

const counterSpec = { metricType: "beam:metric:user:sum_int64:v1", name: "rows" };

describe("the repaired SDK", () => {
  test("resets counters to zero between bundles", async () => {
    const { published, repaired } = await withAndWithout("resetMetrics", () => {
      const container = new sdk.metrics.MetricsContainer();
      const counter = container.getMetric("t", undefined, counterSpec);
      counter.update(5);
      container.reset();
      counter.update(2);
      return counter.value.extract() as number;
    });
    expect(published).toBe(7);
    expect(repaired).toBe(2);
  });

  test("labels metrics with PTRANSFORM and a namespace", async () => {
    const { published, repaired } = await withAndWithout("labelMetrics", () => {
      const container = new sdk.metrics.MetricsContainer();
      return container.getMetric("t", undefined, counterSpec).toEmptyMonitoringInfo().labels;
    });
    expect(published).toEqual({ NAME: "rows", NAMESPACE: "", TRANSFORM: "t" });
    expect(repaired).toEqual({ NAME: "rows", NAMESPACE: "tfxio", PTRANSFORM: "t" });
  });

  test("skips fields that are newer than the SDK, even in nested messages", async () => {
    const newer = [0x7a, 0x01, 0x21]; // field 15, "!"
    const transform = [0x2a, 0x01, 0x52, ...newer]; // field 5 of PTransform, unique_name: "R"
    const { published, repaired } = await withAndWithout("readUnknownFields", () => {
      const namespace = [0x1a, 0x01, 0x6e]; // field 3: "n"
      try {
        const bytes = Uint8Array.of(0x12, transform.length, ...transform, ...namespace, ...newer);
        const request = sdk.expansion.ExpansionRequest.fromBinary(bytes);
        return [request.namespace, request.transform?.uniqueName].join();
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(published).toBe("wireType is not defined");
    expect(repaired).toBe("n,R");
  });

  test("encodes 64-bit varints, and rejects numbers that are not safe integers", async () => {
    const { published, repaired } = await withAndWithout("encodeVarints", () => {
      const coder = new sdk.coders.VarIntCoder();
      return [2 ** 31, -1, Number.MAX_SAFE_INTEGER].map((value) => {
        const writer = new sdk.protobuf.Writer();
        coder.encode(value, writer as never);
        return coder.decode(new sdk.protobuf.Reader(writer.finish()) as never);
      });
    });
    expect(published).toEqual([-(2 ** 31), -1, -1]);
    expect(repaired).toEqual([2 ** 31, -1, Number.MAX_SAFE_INTEGER]);
    const coder = new sdk.coders.VarIntCoder();
    expect(() => coder.encode(2 ** 53, new sdk.protobuf.Writer() as never)).toThrow("out-of-range");
  });

  test("encodes a distribution as four varints", async () => {
    const spec = { metricType: "beam:metric:user:distribution_int64:v1", name: "bytes" };
    const { published, repaired } = await withAndWithout("encodeDistributions", () => {
      const cell = new sdk.metrics.MetricsContainer().getMetric("t", undefined, spec).value;
      cell.update(2);
      cell.update(3);
      const bytes = [...cell.payload()];
      cell.loadFromPayload(cell.payload());
      return { bytes, read: cell.extract() as unknown };
    });
    expect(published.bytes).not.toEqual([2, 5, 2, 3]);
    expect(repaired).toEqual({ bytes: [2, 5, 2, 3], read: { count: 2, sum: 5, min: 2, max: 3 } });
  });

  test("returns all values of a side input on every read", async () => {
    const { published, repaired } = await withAndWithout("decodeSideInputsOnce", async () => {
      const underlying = {
        getState: (_key: unknown, decode: (bytes: Uint8Array) => unknown) => ({
          type: "promise" as const,
          promise: Promise.resolve(decode(Uint8Array.of(1, 2))),
        }),
      };
      const provider = new sdk.state.CachingStateProvider(underlying as never);
      const read = async (): Promise<number[]> => {
        const state = provider.getState(sdk.fnApi.StateKey.create(), function* (bytes: Uint8Array) {
          yield* bytes;
        });
        return [...(state.type === "promise" ? await state.promise : state.value)];
      };
      return [await read(), await read()];
    });
    expect(published).toEqual([[1, 2], []]);
    expect(repaired).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test("delivers the messages of a stream in order, and its end last", async () => {
    const { published, repaired } = await withAndWithout("deliverDataInOrder", async () => {
      const { prototype } = sdk.data.MultiplexingDataChannel;
      const channel = Object.assign(Object.create(prototype) as typeof prototype, { consumers: new Map() });
      const events: string[] = [];
      await channel.registerConsumer("bundle", "transform", {
        sendData: async ([milliseconds = 0]) => {
          await new Promise((resolve) => setTimeout(resolve, milliseconds));
          events.push(`data ${milliseconds}`);
        },
        sendTimers: async () => {},
        close: () => events.push("end"),
        onError: (error) => events.push(`error ${String(error)}`),
      });
      const consumer = channel.getConsumer("bundle", "transform");
      // Neither call waits for the other, as when the SDK receives two messages of a stream.
      const first = consumer.sendData(Uint8Array.of(20));
      const second = consumer.sendData(Uint8Array.of(1)).then(() => consumer.close());
      await Promise.all([first, second]);
      while (events.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
      return events;
    });
    expect(published).toEqual(["data 1", "end", "data 20"]);
    expect(repaired).toEqual(["data 20", "data 1", "end"]);
  });

  test("sends each output element only once, even if more elements arrive during a send", async () => {
    const { published, repaired } = await withAndWithout("sendOnce", async () => {
      const sent: number[] = [];
      const port = sdk.fnApi.RemoteGrpcPort.create({
        apiServiceDescriptor: { url: "runner" },
        coderId: "coder",
      });
      const context = {
        descriptor: {
          transforms: {
            sink: {
              inputs: {},
              outputs: {},
              spec: { urn: "beam:runner:sink:v1", payload: sdk.fnApi.RemoteGrpcPort.toBinary(port) },
            },
          },
        },
        getReceiver: () => ({}),
        getBundleId: () => "bundle",
        getDataChannel: () => ({
          getSendChannel: () => ({
            sendData: async (bytes: Uint8Array) => {
              sent.push(bytes.length);
            },
            close: () => {},
          }),
        }),
        pipelineContext: {
          getCoder: () => ({
            encode: (value: Uint8Array, writer: { bytes(value: Uint8Array): void }) => writer.bytes(value),
          }),
        },
      };
      const sink = sdk.operators.createOperator("sink", context as never);
      await sink.startBundle();
      const waits = [600_000, 600_000, 600_000].map((length) =>
        sink.process(new Uint8Array(length) as never),
      );
      for (const wait of waits) await wait;
      await sink.finishBundle();
      return sent.reduce((sum, length) => sum + length, 0);
    });
    const framed = 3 * (600_000 + 3); // each element is preceded by its length, a varint of 3 bytes
    expect(published).toBeGreaterThan(framed);
    expect(repaired).toBe(framed);
  });

  test("describes known metrics in response to a monitoringInfos request", async () => {
    const { published, repaired } = await withAndWithout("handleInstructions", async () => {
      const cache = new sdk.metrics.MetricsShortIdCache();
      const id = cache.getShortId(new sdk.metrics.MetricsContainer().getMetric("t", undefined, counterSpec));
      const answers: { readonly error: string }[] = [];
      const worker = Object.assign(Object.create(sdk.worker.Worker.prototype) as object, {
        metricsShortIdCache: cache,
        controlChannel: { write: (answer: { readonly error: string }) => answers.push(answer) },
      });
      await sdk.worker.Worker.prototype.handleRequest.call(worker as never, {
        instructionId: "1",
        request: { oneofKind: "monitoringInfos", monitoringInfos: { monitoringInfoId: [id, "unknown"] } },
      });
      return answers;
    });
    expect(published).toMatchObject([{ error: expect.stringContaining("Unknown instruction") }]);
    expect(repaired).toMatchObject([
      {
        error: "",
        response: { monitoringInfos: { monitoringInfo: { m0: { urn: "beam:metric:user:sum_int64:v1" } } } },
      },
    ]);
  });

  test("responds without an error to a request to split a bundle that has ended", async () => {
    const { published, repaired } = await withAndWithout("answerLateRequests", async () => {
      const worker = Object.assign(Object.create(sdk.worker.Worker.prototype) as object, {
        activeBundleProcessors: new Map(),
      });
      const request = { instructionId: "2", request: { processBundleSplit: { instructionId: "gone" } } };
      return (await sdk.worker.Worker.prototype.split.call(worker as never, request)).error;
    });
    expect(published).toContain("Unknown process bundle");
    expect(repaired).toBe("");
  });

  test("submits a job to a server that answers the artifact call with gRPC trailers but no headers", async () => {
    const { published, repaired } = await withAndWithout("answerArtifactTrailers", async () => {
      const client = {
        reverseArtifactRetrievalService: () => ({
          requests: { send: async () => {}, complete: async () => {} },
          responses: {
            onMessage: () => {},
            onComplete: () => {},
            onError: () => {},
            async *[Symbol.asyncIterator]() {},
          },
          status: Promise.resolve({ code: "OK", detail: "" }),
          // oxlint-disable-next-line unicorn/no-thenable -- a protobuf-ts call whose headers never come
          then: () => new Promise(() => {}),
        }),
      };
      const offered = sdk.artifacts.offerArtifacts(client as never, "token");
      const late = new Promise<"hangs">((resolve) => setTimeout(resolve, 100, "hangs"));
      return Promise.race([offered.then(() => "submitted" as const), late]);
    });
    expect(published).toBe("hangs");
    expect(repaired).toBe("submitted");
  });

  test("runs an asynchronous DoFn, and requests each output only after the previous output is consumed", async () => {
    let log: string[] = [];
    const waiting = {
      async *processAsync(count: number) {
        for (let at = 0; at < count; at++) {
          await Promise.resolve();
          log.push(`made ${at}`);
          yield at;
        }
      },
    };
    sdk.registry.requireForSerialization("test", { waiting });
    const { published, repaired } = await withAndWithout("processAsync", async () => {
      log = [];
      const payload = sdk.serialize.serializeFn({ doFn: waiting, context: undefined });
      const doFn = sdk.runnerApi.FunctionSpec.create({ urn: sdk.urns.SERIALIZED_JS_DOFN_INFO, payload });
      const bytes = sdk.runnerApi.ParDoPayload.toBinary(sdk.runnerApi.ParDoPayload.create({ doFn }));
      const spec = { urn: "beam:transform:pardo:v1", payload: bytes };
      const operator = sdk.operators.createOperator("wait", {
        descriptor: { transforms: { wait: { inputs: {}, outputs: { output: "o" }, spec } } },
        getReceiver: () => ({
          receive: async ({ value }: { readonly value: number }) => {
            await Promise.resolve();
            log.push(`taken ${value}`);
          },
        }),
        getStateProvider: () => undefined,
      } as never);
      await operator.startBundle();
      try {
        await operator.process({ value: 2, windows: [], pane: undefined, timestamp: undefined } as never);
      } catch (error) {
        log.push(error instanceof Error ? error.name : String(error));
      }
      return log;
    });
    expect(published).toEqual(["TypeError"]);
    expect(repaired).toEqual(["made 0", "taken 0", "made 1", "taken 1"]);
  });

  test("waits until the direct runner has processed the impulse", async () => {
    const { published, repaired } = await withAndWithout("awaitImpulse", async () => {
      let isDone = false;
      const transform = { inputs: {}, outputs: { output: "o" }, spec: { urn: sdk.internal.impulse.urn } };
      const impulse = sdk.operators.createOperator("impulse", {
        descriptor: { transforms: { impulse: transform } },
        getReceiver: () => ({
          receive: async () => {
            await new Promise((resolve) => setTimeout(resolve, 5));
            isDone = true;
          },
        }),
      } as never);
      await impulse.startBundle();
      return isDone;
    });
    expect(published).toBe(false);
    expect(repaired).toBe(true);
  });

  test("groups by key and window on the direct runner, with the timestamps that the windowing strategy asks for", async () => {
    const { END_OF_WINDOW, EARLIEST_IN_PANE, LATEST_IN_PANE } = sdk.runnerApi.OutputTime_Enum;
    // Two windows of 10 s. Key "a" has elements in both, not ordered by time.
    const elements = [
      ["a", 4],
      ["b", 9],
      ["a", 13],
      ["a", 2],
      ["a", 7],
    ] as const;
    const { published, repaired } = await withAndWithout("dateGroups", async () => {
      const groups: Record<string, unknown> = {};
      for (const [name, outputTime] of Object.entries({ END_OF_WINDOW, EARLIEST_IN_PANE, LATEST_IN_PANE }))
        groups[name] = await groupsOf(outputTime, elements).catch(
          (error: unknown) => (error as Error).message,
        );
      return groups;
    });
    const end = [
      ["a", [4, 2, 7], 9999],
      ["b", [9], 9999],
      ["a", [13], 19_999],
    ];
    const rejected = "Unsupported windowing output time: [object Object]";
    expect(published).toEqual({ END_OF_WINDOW: end, EARLIEST_IN_PANE: rejected, LATEST_IN_PANE: rejected });
    expect(repaired).toEqual({
      END_OF_WINDOW: end,
      EARLIEST_IN_PANE: [
        ["a", [4, 2, 7], 2000],
        ["b", [9], 9000],
        ["a", [13], 13_000],
      ],
      LATEST_IN_PANE: [
        ["a", [4, 2, 7], 7000],
        ["b", [9], 9000],
        ["a", [13], 13_000],
      ],
    });
  });
});

/**
 * Groups elements by key and by windows of 10 s, with the direct runner's operator. An element's value is its timestamp in
 * seconds. Returns the key, the values and the timestamp in ms of each group.
 */
async function groupsOf(
  outputTime: number,
  elements: readonly (readonly [key: string, second: number])[],
): Promise<unknown[]> {
  const ofSdk = createRequire(createRequire(import.meta.url).resolve("apache-beam"));
  const Long = ofSdk("long") as { fromNumber(value: number): unknown };
  const windowFn = sdk.transforms.fixedWindows(10);
  const pipeline = new sdk.pipeline.Pipeline();
  const strategy = sdk.transforms.createWindowingStrategyProto(pipeline, windowFn);
  const entries = new sdk.requiredCoders.KVCoder(new sdk.coders.StrUtf8Coder(), new sdk.coders.VarIntCoder());
  const coderId = pipeline.context.getCoderId(entries);
  const spec = { urn: sdk.internal.groupByKey.urn };
  const descriptor = {
    transforms: { group: { inputs: { input: "i" }, outputs: { output: "o" }, spec } },
    pcollections: { i: { coderId, windowingStrategyId: "w" } },
    coders: pipeline.getProto().components?.coders,
    windowingStrategies: { w: { ...strategy, outputTime } },
  };
  const groups: unknown[] = [];
  const receive = ({ value: { key, value }, timestamp }: Group): null => {
    groups.push([key, value, Number(String(timestamp))]);
    return null;
  };
  const { OperatorContext, createOperator } = sdk.operators;
  const rest = [() => ({ receive }), undefined, undefined, undefined, undefined, undefined] as never[];
  const context = new (OperatorContext as new (...args: never[]) => object)(descriptor as never, ...rest);
  const operator = createOperator("group", context as never);
  await operator.startBundle();
  for (const [key, second] of elements) {
    const timestamp = Long.fromNumber(second * 1000);
    const windows = windowFn.assignWindows(timestamp);
    await operator.process({ value: { key, value: second }, windows, timestamp, pane: undefined } as never);
  }
  await operator.finishBundle();
  return groups;
}

interface Group {
  readonly value: { readonly key: unknown; readonly value: unknown };
  readonly timestamp: unknown;
}
