import { beforeAll, expect, jest, test } from "@jest/globals";
import { type BeamRuntime, beamRuntime } from "../../src/transforms/beam-runtime.js";
import { ListUnits, listUnits } from "../../src/transforms/list-units.js";
import { packJson, unpackJson } from "../../src/transforms/packed-json.js";
import { planUnits } from "../../src/plan/index.js";
import { simulatedFormats, simulatedRead } from "../plan/simulated-cluster.js";

/** Default size limit of messages to a gRPC server. @see gRPC core, GRPC_DEFAULT_MAX_RECV_MESSAGE_LENGTH */
const MAX_MESSAGE_BYTES = 4 * 2 ** 20;
const MIB = 2 ** 20;

let runtime: BeamRuntime;
beforeAll(() => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  runtime = beamRuntime();
});

test("a pipeline of 100,000 units in 2,000 files fits in one message to a gRPC server with default limits", async () => {
  const { sdk } = runtime;
  const plan = await planUnits(simulatedRead({ numFiles: 2000, fileBytes: 50 * 64 * MIB }), {
    unitBytes: 64 * MIB,
    formats: simulatedFormats,
  });
  // Real files are split after a record, so their offsets are not multiples of the unit size.
  const units = plan.units.map((unit) => ({
    ...unit,
    parts: unit.parts.map((part) => ({ ...part, start: (part.start ?? 0) + ((unit.index * 7919) % 4093) })),
  }));
  expect(units).toHaveLength(100_000);
  const pipeline = new sdk.pipeline.Pipeline();
  await new sdk.pvalue.Root(pipeline).applyAsync(listUnits(sdk, units) as never);
  const { length } = sdk.runnerApi.Pipeline.toBinary(pipeline.getProto());
  expect(length).toBeLessThan(MAX_MESSAGE_BYTES);
  expect(JSON.stringify(units).length).toBeGreaterThan(4 * MAX_MESSAGE_BYTES);
});

test("ListUnits yields exactly the planned units", async () => {
  const { units } = await planUnits(simulatedRead({ numFiles: 30, fileBytes: 130 * MIB }), {
    unitBytes: 64 * MIB,
    formats: simulatedFormats,
  });
  const listed: unknown[] = [];
  for await (const unit of new ListUnits(await packJson(units)).processAsync()) listed.push(JSON.parse(unit));
  expect(listed).toEqual(units);
});

test("unpackJson unpacks a value only once for each DoFn", async () => {
  const packed = await packJson({ name: "Žofie", large: 2 ** 52 });
  const [one, other] = [{}, {}];
  const first = await unpackJson(one, packed);
  expect(first).toEqual({ name: "Žofie", large: 2 ** 52 });
  expect(await unpackJson(one, packed)).toBe(first);
  expect(await unpackJson(other, packed)).not.toBe(first);
});
