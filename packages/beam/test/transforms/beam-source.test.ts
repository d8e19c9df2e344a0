import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { encodeExample, plainRows } from "@tfxio/arrow-encoding";
import { beamSource } from "@tfxio/beam";
import { openTfxio } from "@tfxio/io";
import { writeTfRecords } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

let folder = "";
beforeAll(async () => {
  // jest has a module loader of its own, which the stand-in of loadSdk does not reach.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  for (const method of ["log", "debug", "error"] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
  folder = await mkdtemp(path.join(tmpdir(), "beam-source-"));
  const rows = Array.from({ length: 1000 }, (_, id) =>
    encodeExample({ id: { kind: "int64", values: [2 ** 40 + id] } }),
  );
  await writeTfRecords(rows, path.join(folder, "rows.tfrecord"), { numShards: 3 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// What the direct runner's last function saw: it runs in this process, but functions travel as text.
const seen = globalThis as { beamSeen?: number[] };

test("gives every row once on the direct runner, and counts them", async () => {
  const tfxio = await openTfxio(path.join(folder, "*"), { inferSchema: "full" });
  const source = beamSource(tfxio, { unitBytes: 1 });
  const require = createRequire(import.meta.url);
  const { directRunner } =
    require("apache-beam/runners/direct_runner") as typeof import("apache-beam/runners/direct_runner");
  const { requireForSerialization } =
    require("apache-beam/serialization") as typeof import("apache-beam/serialization");
  seen.beamSeen = [];
  const collect = (batch: RecordBatch): null => {
    for (const { id } of plainRows(batch)) seen.beamSeen?.push(Number((id as unknown[])[0]));
    return null;
  };
  requireForSerialization("test", { collect });
  const result = await directRunner().run(async (root) => {
    const batches = await root.applyAsync(source);
    batches.map(collect as never);
  });
  await tfxio.close();
  expect(seen.beamSeen?.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, id) => 2 ** 40 + id));
  expect(await result.counters()).toMatchObject({ numRows: 1000 });
});
