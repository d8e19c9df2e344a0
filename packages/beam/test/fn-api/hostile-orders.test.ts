import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { installRepairs } from "../../src/compat/install-repairs.js";
import type { Sdk } from "../../src/compat/sdk.js";
import {
  type BundleShape,
  describeBundle,
  encodeElements,
  messages,
  outputOf,
  responseTo,
} from "./bundles.js";
import { type FnApiRunner, type Message, startFnApiRunner, type Stream } from "./runner.js";

/** A function that doubles its element, and fails for 13. */
class Double {
  *process(value: number): Iterable<number> {
    if (value === 13) throw new Error("planted fault at 13");
    yield value * 2;
  }
}

/** A function that returns its element after the test has opened the gate. */
class AtGate {
  async *processAsync(value: number): AsyncGenerator<number> {
    await gate.opened;
    yield value;
  }
}

/** A function that returns the sum of its element and its side input. */
class AddSide {
  *process(value: number, { side }: { readonly side: { lookup(): Iterable<number> } }): Iterable<number> {
    yield [...side.lookup()].reduce((sum, each) => sum + each, value);
  }
}

let gate = newGate();
function newGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

let sdk: Sdk;
let runner: FnApiRunner;
let control: Stream;
let data: Stream;
let worker: InstanceType<Sdk["worker"]["Worker"]>;
let numBundles = 0;

beforeAll(async () => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  for (const method of ["log", "debug", "error", "warn"] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
  sdk = installRepairs();
  sdk.registry.requireForSerialization("test", { AddSide, AtGate, Double });
  runner = await startFnApiRunner(sdk);
  worker = new sdk.worker.Worker("worker", { controlUrl: runner.address }, {});
  control = await runner.control();
  describeBundle(sdk, runner, "double", { doFn: new Double() });
  // The worker opens its data stream when it processes its first bundle.
  const first = await run("double", [1]);
  data = first.data;
});
afterAll(async () => {
  control.end();
  await sleep(20);
  runner.stop();
  await sleep(20);
});

const nextId = (): string => `bundle-${numBundles++}`;
const encode = (...values: readonly number[]): Uint8Array => encodeElements(sdk, values);
const { part, processBundle } = messages;

/** Runs a bundle with its messages in the usual order. */
async function run(
  descriptor: string,
  values: readonly number[],
): Promise<{ readonly data: Stream; readonly id: string }> {
  const id = nextId();
  control.send(processBundle(id, descriptor));
  const stream = numBundles === 1 ? await runner.data() : data;
  stream.send(messages.data(part(id, encode(...values), true)));
  expect(await responseTo(control, id)).toMatchObject({
    error: "",
    response: { oneofKind: "processBundle" },
  });
  return { data: stream, id };
}

function describeAs(id: string, shape: BundleShape): void {
  describeBundle(sdk, runner, id, shape);
}

/** Resolves to the response, or to "hangs" after a second. */
function answered(id: string): Promise<Message | "hangs"> {
  return Promise.race([responseTo(control, id), sleep(1000, "hangs" as const)]);
}

describe("our worker, over gRPC", () => {
  test("processes data that arrives before its instruction", async () => {
    const id = nextId();
    data.send(messages.data(part(id, encode(1, 2), false)));
    data.send(messages.data(part(id, encode(3), true)));
    await sleep(50);
    control.send(processBundle(id, "double"));
    expect(await answered(id)).toMatchObject({ error: "" });
    expect(await outputOf(sdk, data, id)).toEqual([2, 4, 6]);
  });

  test("processes data that arrives before, during and after the fetch of the bundle descriptor", async () => {
    describeAs("fetched", { doFn: new Double() });
    const id = nextId();
    data.send(messages.data(part(id, encode(1), false)));
    control.send(processBundle(id, "fetched"));
    for (const value of [2, 3, 4]) data.send(messages.data(part(id, encode(value), false)));
    await sleep(20);
    data.send(messages.data(part(id, encode(5), false), part(id, new Uint8Array(0), true)));
    expect(await answered(id)).toMatchObject({ error: "" });
    expect(await outputOf(sdk, data, id)).toEqual([2, 4, 6, 8, 10]);
  });

  test("waits for an end of stream that arrives in a separate message", async () => {
    const id = nextId();
    control.send(processBundle(id, "double"));
    data.send(messages.data(part(id, encode(1, 2), false)));
    await sleep(50);
    expect(control.received.some(({ instructionId }) => instructionId === id)).toBe(false);
    data.send(messages.data(part(id, new Uint8Array(0), true)));
    expect(await answered(id)).toMatchObject({ error: "" });
    expect(await outputOf(sdk, data, id)).toEqual([2, 4]);
  });

  test("keeps the data of two interleaved bundles apart", async () => {
    const [a, b] = [nextId(), nextId()];
    control.send(processBundle(a, "double"));
    data.send(messages.data(part(b, encode(10), false), part(a, encode(1), false)));
    control.send(processBundle(b, "double"));
    data.send(messages.data(part(a, encode(2), false), part(b, encode(20), true), part(a, encode(3), true)));
    expect(await Promise.all([answered(a), answered(b)])).toMatchObject([{ error: "" }, { error: "" }]);
    expect(await outputOf(sdk, data, a)).toEqual([2, 4, 6]);
    expect(await outputOf(sdk, data, b)).toEqual([20, 40]);
  });

  test("fails a bundle whose function throws, and runs the next bundle", async () => {
    const id = nextId();
    control.send(processBundle(id, "double"));
    data.send(messages.data(part(id, encode(1, 13, 3), false)));
    expect(await answered(id)).toMatchObject({ error: expect.stringContaining("planted fault at 13") });
    const { id: next } = await run("double", [4]);
    expect(await outputOf(sdk, data, next)).toEqual([8]);
  });

  test("fails a bundle if its function throws for data that arrived before the instruction", async () => {
    const id = nextId();
    data.send(messages.data(part(id, encode(13), true)));
    await sleep(20);
    control.send(processBundle(id, "double"));
    expect(await answered(id)).toMatchObject({ error: expect.stringContaining("planted fault at 13") });
  });

  test("discards data that arrives after its bundle has ended or failed", async () => {
    const failed = nextId();
    control.send(processBundle(failed, "double"));
    data.send(messages.data(part(failed, encode(13), false)));
    await answered(failed);
    const { id: done } = await run("double", [1]);
    for (const id of [failed, done]) data.send(messages.data(part(id, encode(5), true)));
    const { id: last } = await run("double", [1]);
    await sleep(20);
    const channel = worker.dataChannels.get(runner.address) as unknown as {
      readonly consumers: Map<string, unknown>;
    };
    expect([...channel.consumers.keys()].filter((id) => [failed, done, last].includes(id))).toEqual([]);
  });

  test("fails a bundle if data from either of its two sources makes the function throw", async () => {
    describeAs("two sources", { doFn: new Double(), sources: ["left", "right"] });
    for (const failing of ["left", "right"]) {
      const id = nextId();
      control.send(processBundle(id, "two sources"));
      data.send(messages.data(part(id, encode(13), true, failing)));
      await sleep(50);
      data.send(messages.data(part(id, encode(1), true, failing === "left" ? "right" : "left")));
      expect(await answered(id)).toMatchObject({ error: expect.stringContaining("planted fault at 13") });
    }
  });

  test("accepts a descriptor that is registered twice", async () => {
    describeAs("registered", { doFn: new Double() });
    const descriptor = runner.descriptors.get("registered") as object;
    runner.descriptors.delete("registered");
    for (const id of [nextId(), nextId()]) {
      const request = { oneofKind: "register", register: { processBundleDescriptor: [descriptor] } };
      control.send({ instructionId: id, request });
      expect(await answered(id)).toMatchObject({ error: "", response: { oneofKind: "register" } });
    }
    const { id } = await run("registered", [21]);
    expect(await outputOf(sdk, data, id)).toEqual([42]);
  });

  test("fails a bundle with an unknown descriptor", async () => {
    const id = nextId();
    control.send(processBundle(id, "unknown"));
    expect(await answered(id)).toMatchObject({ error: expect.stringContaining("unknown descriptor") });
  });

  test("answers an unknown instruction with an error, and runs the next bundle", async () => {
    const id = nextId();
    control.send({
      instructionId: id,
      request: { oneofKind: "finalizeBundle", finalizeBundle: { instructionId: "x" } },
    });
    expect(await answered(id)).toMatchObject({ error: "Unknown instruction: finalizeBundle" });
    await run("double", [1]);
  });

  describe("when asked to split", () => {
    const split = (
      id: string,
      bundle: string,
      fraction: number,
      allowed: readonly bigint[] = [],
    ): Message => ({
      instructionId: id,
      request: {
        oneofKind: "processBundleSplit",
        processBundleSplit: {
          instructionId: bundle,
          desiredSplits: {
            source: {
              fractionOfRemainder: fraction,
              allowedSplitPoints: allowed,
              estimatedInputElements: 10n,
            },
          },
        },
      },
    });
    interface ChannelSplit {
      readonly lastPrimaryElement: bigint;
      readonly firstResidualElement: bigint;
    }
    async function splitOf(id: string): Promise<readonly ChannelSplit[]> {
      const { error, response } = (await answered(id)) as {
        readonly error: string;
        readonly response: {
          readonly processBundleSplit: { readonly channelSplits: readonly ChannelSplit[] };
        };
      };
      expect(error).toBe("");
      return response.processBundleSplit.channelSplits;
    }
    const values = Array.from({ length: 10 }, (_, value) => value);

    test.each([
      { what: "in the middle", fraction: 0.5, allowed: [] },
      { what: "as soon as possible", fraction: 0, allowed: [] },
      { what: "at an allowed point", fraction: 0.1, allowed: [8n] },
    ])(
      "$what, processes the primary elements and leaves the residual to the runner",
      async ({ fraction, allowed }) => {
        describeAs("gate", { doFn: new AtGate() });
        gate = newGate();
        const bundle = nextId();
        control.send(processBundle(bundle, "gate"));
        data.send(messages.data(part(bundle, encode(...values), true)));
        await sleep(50);
        const id = nextId();
        control.send(split(id, bundle, fraction, allowed));
        const [{ lastPrimaryElement, firstResidualElement }] = (await splitOf(id)) as [ChannelSplit];
        expect(firstResidualElement).toBe(lastPrimaryElement + 1n);
        // Element 0 waits at the gate, so a split cannot give it back.
        expect(lastPrimaryElement).toBeGreaterThanOrEqual(0n);
        if (allowed.length > 0) expect(firstResidualElement).toBe(8n);
        gate.open();
        expect(await answered(bundle)).toMatchObject({ error: "" });
        expect(await outputOf(sdk, data, bundle)).toEqual(values.slice(0, Number(firstResidualElement)));
        // The runner assigns the residual to another bundle.
        const { id: rest } = await run("gate", values.slice(Number(firstResidualElement)));
        expect(await outputOf(sdk, data, rest)).toEqual(values.slice(Number(firstResidualElement)));
      },
    );

    test("a second time, splits the primary of the first split", async () => {
      gate = newGate();
      const bundle = nextId();
      control.send(processBundle(bundle, "gate"));
      data.send(messages.data(part(bundle, encode(...values), true)));
      await sleep(50);
      const ids = [nextId(), nextId()];
      for (const id of ids) control.send(split(id, bundle, 0.5));
      const [[first], [second]] = (await Promise.all(ids.map(splitOf))) as [[ChannelSplit], [ChannelSplit]];
      expect(second.lastPrimaryElement).toBeLessThan(first.lastPrimaryElement);
      gate.open();
      expect(await answered(bundle)).toMatchObject({ error: "" });
      expect(await outputOf(sdk, data, bundle)).toEqual(values.slice(0, Number(second.firstResidualElement)));
    });

    test("reports no split of a bundle that has ended or is unknown, and splits one whose data has not arrived", async () => {
      gate = newGate();
      gate.open();
      const { id: ended } = await run("gate", [1]);
      for (const bundle of [ended, "never"]) {
        const id = nextId();
        control.send(split(id, bundle, 0.5));
        expect(await splitOf(id)).toEqual([]);
      }
      const bundle = nextId();
      control.send(processBundle(bundle, "gate"));
      await sleep(50);
      const id = nextId();
      control.send(split(id, bundle, 0.5));
      const [{ firstResidualElement }] = (await splitOf(id)) as [ChannelSplit];
      data.send(messages.data(part(bundle, encode(...values), true)));
      expect(await answered(bundle)).toMatchObject({ error: "" });
      expect(await outputOf(sdk, data, bundle)).toEqual(values.slice(0, Number(firstResidualElement)));
    });
  });

  describe("with a side input", () => {
    let state: Stream;
    const answer = (request: Message, ...values: readonly number[]): Message => {
      const writer = new sdk.protobuf.Writer();
      for (const value of values) writer.int64(value);
      return {
        id: request["id"],
        error: "",
        response: {
          oneofKind: "get",
          get: { data: Uint8Array.from(writer.finish()), continuationToken: new Uint8Array(0) },
        },
      };
    };
    const requestOf = (bundle: string): Promise<Message> =>
      state.find(({ instructionId }) => instructionId === bundle);

    beforeAll(async () => {
      const param = Object.assign(Object.create(sdk.transforms.SideInputParam.prototype) as object, {
        parDoParamName: "sideInput",
        sideInputId: "side",
        accessor: { accessPattern: "beam:side_input:iterable:v1", toValue },
      });
      sdk.registry.requireForSerialization("test-side", {
        SideInputParam: sdk.transforms.SideInputParam,
        toValue,
      });
      describeAs("side", { doFn: new AddSide(), context: { side: param }, sideInput: "side" });
      const id = nextId();
      control.send(processBundle(id, "side"));
      data.send(messages.data(part(id, encode(1), true)));
      state = await runner.state();
      state.send(answer(await requestOf(id), 10, 20));
      expect(await answered(id)).toMatchObject({ error: "" });
      expect(await outputOf(sdk, data, id)).toEqual([31]);
    });

    test("puts the id of the current bundle into each state request, even if the bundle reuses a processor", async () => {
      for (let time = 0; time < 2; time++) {
        const id = nextId();
        control.send(processBundle(id, "side"));
        data.send(messages.data(part(id, encode(1, 2), true)));
        state.send(answer(await requestOf(id), 100));
        expect(await answered(id)).toMatchObject({ error: "" });
        expect(await outputOf(sdk, data, id)).toEqual([101, 102]);
      }
    });

    test("accepts responses in any order", async () => {
      const ids = [nextId(), nextId(), nextId()];
      for (const id of ids) {
        control.send(processBundle(id, "side"));
        data.send(messages.data(part(id, encode(1), true)));
      }
      const requests = await Promise.all(ids.map(requestOf));
      for (const at of [2, 0, 1]) state.send(answer(requests[at] as Message, 100 * at));
      await Promise.all(ids.map(async (id) => expect(await answered(id)).toMatchObject({ error: "" })));
      expect(await Promise.all(ids.map((id) => outputOf(sdk, data, id)))).toEqual([[1], [101], [201]]);
    });

    test("ignores unexpected and repeated responses", async () => {
      const id = nextId();
      control.send(processBundle(id, "side"));
      data.send(messages.data(part(id, encode(1), true)));
      const request = await requestOf(id);
      state.send({ ...answer(request, 5), id: "never asked" });
      for (let time = 0; time < 2; time++) state.send(answer(request, 6));
      expect(await answered(id)).toMatchObject({ error: "" });
      expect(await outputOf(sdk, data, id)).toEqual([7]);
    });

    test("fails a bundle with the runner's message if the runner rejects a state request", async () => {
      const id = nextId();
      control.send(processBundle(id, "side"));
      data.send(messages.data(part(id, encode(1), true)));
      const request = await requestOf(id);
      state.send({ id: request["id"], error: "no such state", response: { oneofKind: undefined } });
      expect(await answered(id)).toMatchObject({ error: expect.stringContaining("no such state") });
    });

    test("fails a waiting bundle if the state stream breaks", async () => {
      const id = nextId();
      control.send(processBundle(id, "side"));
      data.send(messages.data(part(id, encode(1), true)));
      await requestOf(id);
      state.fail();
      expect(await answered(id)).toMatchObject({
        error: expect.stringContaining("the runner breaks the stream"),
      });
    });
  });

  test.each(["fail", "end"] as const)(
    "fails a waiting bundle if the runner calls %s() on the data stream",
    async (how) => {
      const id = nextId();
      control.send(processBundle(id, "double"));
      if (how === "end") {
        // After a stream has broken, the next bundle opens a new one.
        data = await runner.data();
      }
      data.send(messages.data(part(id, encode(1), false)));
      await sleep(20);
      data[how]();
      expect(await answered(id)).toMatchObject({ error: expect.stringContaining("data stream") });
    },
  );
});

const toValue = (values: Iterable<number>): Iterable<number> => values;
