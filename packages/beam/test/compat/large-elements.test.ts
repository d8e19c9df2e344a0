import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, jest, test } from "@jest/globals";
import { repairs } from "../../src/compat/install-repairs.js";
import { loadSdk, type Sdk } from "../../src/compat/sdk.js";
import { describeBundle, encodeElements, messages, responseTo } from "../fn-api/bundles.js";
import { startFnApiRunner } from "../fn-api/runner.js";

let sdk: Sdk;
beforeAll(() => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  for (const method of ["log", "debug", "error", "warn"] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
  sdk = loadSdk();
  sdk.registry.requireForSerialization("test", { Check });
});

/** A function without output. */
class Check {
  process(): void {}
}

/**
 * Sends an element of 5 MB, above gRPC's default limit of 4 MiB. Resolves to the error in the bundle's response ("" if the bundle
 * succeeds), or to "hangs" if no response arrives.
 */
async function takeLargeElement(): Promise<unknown> {
  const runner = await startFnApiRunner(sdk);
  const worker = new sdk.worker.Worker("large", { controlUrl: runner.address }, {});
  const control = await runner.control();
  describeBundle(sdk, runner, "check", { doFn: new Check(), elementCoder: "beam:coder:bytes:v1" });
  control.send(messages.processBundle("1", "check"));
  const data = await runner.data();
  const element = encodeElements(sdk, [new Uint8Array(5_000_000)], new sdk.requiredCoders.BytesCoder());
  data.send(messages.data(messages.part("1", element, true)));
  const response = await Promise.race([responseTo(control, "1"), sleep(1500, undefined)]);
  worker.controlChannel.on("error", () => {});
  control.end();
  await sleep(20);
  runner.stop();
  await sleep(20);
  return response === undefined ? "hangs" : response["error"];
}

test("the repaired SDK accepts elements above 4 MiB", async () => {
  expect(await takeLargeElement()).toBe("hangs");
  repairs["connectClients"]?.apply(sdk);
  expect(await takeLargeElement()).toBe("");
});
