import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type ExpansionService, startExpansionService } from "@tfxio/beam/expansion";
import { parseProto } from "@tfxio/formats-protobuf";
import { createDataView, encodeDataView, protoPlaceholder } from "@tfxio/struct2tensor";
import { writeTfRecords } from "@tfxio/wire";
import { loadSdk, type Sdk } from "../../src/compat/sdk.js";

let sdk: Sdk;
let service: ExpansionService;
let folder = "";
beforeAll(async () => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  sdk = loadSdk();
  folder = await mkdtemp(path.join(tmpdir(), "beam-expansion-"));
  const lines = Array.from({ length: 100 }, (_, id) => `{"id":${id}}\n`);
  await writeFile(path.join(folder, "rows.jsonl"), lines.join(""));
  service = await startExpansionService({ workerPool: "pool.example:50000" });
});
afterAll(async () => {
  service.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Sends the request that Beam's Python SDK sends for a root `ExternalTransform(urn, payload, address)`, and resolves to the
 * response.
 */
async function expand(urn: string, payload: object | string): Promise<Expanded> {
  const { ExpansionServiceClient } = createRequire(import.meta.url)(
    "apache-beam/proto/beam_expansion_api.grpc-client",
  ) as typeof import("apache-beam/proto/beam_expansion_api.grpc-client");
  const credentials = sdk.grpc.ChannelCredentials.createInsecure() as never;
  const client = new ExpansionServiceClient(service.address, credentials, {}, {});
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const request = sdk.expansion.ExpansionRequest.create({
    namespace: "external_7",
    transform: { uniqueName: "Read rows", spec: { urn, payload: new TextEncoder().encode(text) } },
  });
  try {
    return await new Promise((resolve, reject) => {
      client.expand(request, (error, response) => {
        if (error === null && response !== undefined) resolve(response);
        else reject(new Error(error?.message));
      });
    });
  } finally {
    client.close();
  }
}

type Expanded = ReturnType<Sdk["expansion"]["ExpansionResponse"]["create"]>;

test.each(["tfxio:transform:read:v1", "tfxio:transform:read_records:v1"])(
  "the expansion service expands %s to a collection of bytes that workers of the pool produce",
  async (urn) => {
    const { components, transform, error } = await expand(urn, {
      sources: path.join(folder, "rows.jsonl"),
      columns: ["id"],
      unitBytes: 100,
    });
    expect(error).toBe("");
    const [output = ""] = Object.values(transform?.outputs ?? {});
    const { coderId = "" } = components?.pcollections[output] ?? {};
    expect(components?.coders[coderId]?.spec?.urn).toBe("beam:coder:bytes:v1");
    const environments = Object.values(components?.environments ?? {});
    expect(environments.map((environment) => environment.urn)).toEqual(["beam:env:external:v1"]);
    const { endpoint } = sdk.runnerApi.ExternalPayload.fromBinary(environments[0]!.payload);
    expect(endpoint?.url).toBe("pool.example:50000");
  },
);

test("the expansion service puts ids into the caller's namespace, and prefixes transform names with the name of the caller's transform", async () => {
  const { components, transform } = await expand("tfxio:transform:read:v1", {
    sources: path.join(folder, "rows.jsonl"),
  });
  const { transforms, pcollections, environments, windowingStrategies } = components!;
  const ids = [transforms, pcollections, environments, windowingStrategies].flatMap((all) =>
    Object.keys(all),
  );
  expect(ids.filter((id) => !id.startsWith("external_7"))).toEqual([]);
  const names = Object.values(transforms).map(({ uniqueName }) => uniqueName);
  expect(names).not.toContain("Read rows");
  expect(names.every((name) => name.startsWith("Read rows/"))).toBe(true);
  expect(transform?.subtransforms.every((id) => id in transforms)).toBe(true);
});

test("the expansion service applies a saved query from the payload, and rejects columns that the query lacks", async () => {
  const orders = protoPlaceholder(
    await parseProto(
      'syntax = "proto2"; package shop; message Order { optional int64 id = 1; }',
      "shop.Order",
    ),
  );
  const outputs = { id: { path: "id", view: "ragged" } } as const;
  const files = await encodeDataView(await createDataView(orders, { outputs }));
  const dataView = Object.fromEntries(
    [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
  );
  const sources = path.join(folder, "orders.tfrecord");
  // Field 1 as a varint.
  await writeTfRecords([Uint8Array.of(8, 42)], sources);
  const { error, components } = await expand("tfxio:transform:read:v1", {
    sources,
    dataView,
    columns: ["id"],
  });
  expect(error).toBe("");
  const names = Object.values(components?.transforms ?? {}).map(({ uniqueName }) => uniqueName);
  expect(names).toContain("Read rows/TfxioSource/Read");
  const unknown = await expand("tfxio:transform:read:v1", { sources, dataView, columns: ["price"] });
  expect(unknown.error).toContain("price");
});

test.each<[string, string, object | string, string]>([
  ["an unknown transform", "beam:transform:other:v1", { sources: "x" }, 'found "beam:transform:other:v1"'],
  ["bytes that are not JSON", "tfxio:transform:read:v1", "\u0000", "must be JSON in UTF-8"],
  ["a payload without sources", "tfxio:transform:read:v1", {}, "sources"],
  ["an unknown payload member", "tfxio:transform:read:v1", { sources: "x", shuffle: true }, '"shuffle"'],
  ["a file that does not exist", "tfxio:transform:read:v1", { sources: "/none/x.csv" }, "[not-found]"],
  [
    "a schema together with a saved query",
    "tfxio:transform:read:v1",
    { sources: "x", schema: "", dataView: {} },
    '"schema"',
  ],
  [
    "a saved query without files",
    "tfxio:transform:read:v1",
    { sources: "x", dataView: {} },
    "[malformed-payload]",
  ],
  [
    "a saved query that is not base64",
    "tfxio:transform:read:v1",
    { sources: "x", dataView: { a: "?" } },
    "base64",
  ],
  [
    "a schema that cannot be parsed",
    "tfxio:transform:read:v1",
    { sources: "x", schema: "{{" },
    "[schema-invalid]",
  ],
])("the expansion service returns an error message for %s", async (_what, urn, payload, message) => {
  const { error, transform } = await expand(urn, payload);
  expect(error).toContain(message);
  expect(transform).toBeUndefined();
});

test("startExpansionService rejects an address that is in use", async () => {
  const taken = startExpansionService({ workerPool: "pool.example:50000", address: service.address });
  await expect(taken).rejects.toMatchObject({ code: "io-failed", reason: "beam-runner" });
});
