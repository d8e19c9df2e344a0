import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, jest, test } from "@jest/globals";
import { repairs } from "../../src/compat/install-repairs.js";
import { loadSdk, type Sdk } from "../../src/compat/sdk.js";
import { describeBundle, encodeElements, messages, responseTo } from "../fn-api/bundles.js";
import { type FnApiRunner, type Message, startFnApiRunner, type Stream } from "../fn-api/runner.js";

/** A function that returns the length of a string. */
class Length {
  *process(value: string): Iterable<number> {
    yield value.length;
  }
}

/** A function without output that fails for "bad". */
class Check {
  *process(value: string): Iterable<number> {
    if (value === "bad") throw new Error("a bad element");
  }
}

let sdk: Sdk;
beforeAll(() => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  for (const method of ["log", "debug", "error", "warn"] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
  sdk = loadSdk();
  sdk.registry.requireForSerialization("test", { Check, Length });
});

/** A runner and a worker connected to it. */
interface Connection {
  readonly runner: FnApiRunner;
  readonly control: Stream;
  readonly worker: InstanceType<Sdk["worker"]["Worker"]>;
}

/** Runs a scenario over gRPC, without and then with a repair. Returns both outcomes. Repairs of earlier tests stay applied. */
async function withAndWithout<Outcome>(
  name: keyof typeof repairs,
  scenario: (connection: Connection) => Promise<Outcome>,
): Promise<{ readonly published: Outcome; readonly repaired: Outcome }> {
  const published = await connected(scenario);
  repairs[name]?.apply(sdk);
  return { published, repaired: await connected(scenario) };
}

async function connected<Outcome>(scenario: (connection: Connection) => Promise<Outcome>): Promise<Outcome> {
  const runner = await startFnApiRunner(sdk);
  const worker = new sdk.worker.Worker("named", { controlUrl: runner.address }, {});
  const control = await runner.control();
  try {
    return await scenario({ runner, control, worker });
  } finally {
    worker.controlChannel.on("error", () => {});
    control.end();
    await sleep(20);
    runner.stop();
    await sleep(20);
  }
}

const encode = (value: string): Uint8Array => encodeElements(sdk, [value], new sdk.coders.StrUtf8Coder());
const elementCoder = "beam:coder:string_utf8:v1";
const { data: dataMessage, part, processBundle } = messages;

/** Resolves to the error in a bundle's response ("" if the bundle succeeds), or to "hangs" if no response arrives. */
async function outcomeOf(control: Stream, bundle: string): Promise<unknown> {
  const response = await Promise.race([responseTo(control, bundle), sleep(500, undefined)]);
  return response === undefined ? "hangs" : response["error"];
}

test("the repaired SDK names the worker when it requests descriptors, and listens for errors on the control stream", async () => {
  const { published, repaired } = await withAndWithout(
    "connectClients",
    async ({ runner, control, worker }) => {
      describeBundle(sdk, runner, "length", { doFn: new Length(), elementCoder });
      control.send(processBundle("1", "length"));
      await runner.data();
      const listeners = (
        worker.controlChannel as unknown as { listenerCount(event: string): number }
      ).listenerCount("error");
      return { callers: runner.descriptorCallers, listeners };
    },
  );
  expect(published).toEqual({ callers: [], listeners: 0 });
  expect(repaired).toEqual({ callers: ["named"], listeners: 1 });
});

test("the repaired SDK discards data that arrives after its bundle has failed", async () => {
  const { published, repaired } = await withAndWithout(
    "deliverDataInOrder",
    async ({ runner, control, worker }) => {
      describeBundle(sdk, runner, "check", { doFn: new Check(), elementCoder, sources: ["left", "right"] });
      control.send(processBundle("1", "check"));
      const data = await runner.data();
      data.send(
        dataMessage(part("1", encode("good"), true, "left"), part("1", encode("bad"), true, "right")),
      );
      await responseTo(control, "1");
      data.send(dataMessage(part("1", encode("late"), false, "left")));
      await sleep(50);
      const [channel] = worker.dataChannels.values();
      return [...(channel as unknown as { readonly consumers: Map<string, unknown> }).consumers.keys()];
    },
  );
  expect(published).toEqual(["1"]);
  expect(repaired).toEqual([]);
});

test("the repaired SDK registers descriptors", async () => {
  const { published, repaired } = await withAndWithout("handleInstructions", async ({ runner, control }) => {
    describeBundle(sdk, runner, "length", { doFn: new Length(), elementCoder });
    const processBundleDescriptor = [runner.descriptors.get("length")];
    control.send({
      instructionId: "0",
      request: { oneofKind: "register", register: { processBundleDescriptor } },
    });
    return ((await responseTo(control, "0")) as { readonly error: string }).error;
  });
  expect(published).toBe("Unknown instruction type: register");
  expect(repaired).toBe("");
});

test("the repaired SDK fails a bundle if its data stream breaks", async () => {
  const { published, repaired } = await withAndWithout("failOnBrokenStreams", async ({ runner, control }) => {
    describeBundle(sdk, runner, "length", { doFn: new Length(), elementCoder });
    control.send(processBundle("1", "length"));
    const data = await runner.data();
    data.send(dataMessage(part("1", encode("first"), false)));
    await sleep(20);
    data.fail();
    return outcomeOf(control, "1");
  });
  expect(published).toBe("hangs");
  expect(repaired).toContain("[io-failed] The data stream to the runner at");
});

test("the repaired SDK reads all split points of a split request, and skips fields that are newer than the SDK", async () => {
  const desired: Message = {
    fractionOfRemainder: 0.5,
    allowedSplitPoints: [3n, 300n],
    estimatedInputElements: 10n,
  };
  const { ProcessBundleSplitRequest_DesiredSplit: type } = sdk.fnApi;
  // Field 15, a varint of 1.
  const bytes = Uint8Array.from([...type.toBinary(type.create(desired)), 0x78, 1]);
  const { published, repaired } = await withAndWithout("readUnknownFields", async () => {
    try {
      return Object.fromEntries(Object.entries(type.fromBinary(bytes)));
    } catch (error) {
      return String(error);
    }
  });
  expect(published).toBe("ReferenceError: wireType is not defined");
  expect(repaired).toEqual(desired);
});
