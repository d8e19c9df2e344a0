import { describe, expect, test } from "@jest/globals";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describeRead, openRead, openTfxio, type ReadDescription, recordTfxio, writeTfxio } from "@tfxio/io";
import { rawPayload } from "@tfxio/formats-tfrecord";
import { encodeTfRecords, memoryTarget } from "@tfxio/wire";

const records = ["one", "two", "three"].map((text) => new TextEncoder().encode(text));
const file = await encodeTfRecords(records);
const format = "tfrecord-raw";

async function tensorsOf(tfxio: Awaited<ReturnType<typeof openTfxio>>): Promise<Record<string, unknown>> {
  for await (const batch of tfxio.recordBatches()) return tfxio.tensorAdapter().toHost(batch);
  return {};
}

describe("raw records", () => {
  test("need no schema to become one dense string tensor, which has the name of their column", async () => {
    const tfxio = await openTfxio(file, { format });
    expect(Array.from(tfxio.tensorAdapter().typeSpecs())).toMatchObject([
      ["raw_record", { kind: "tensor", dtype: "string", shape: [null] }],
    ]);
    expect(await tensorsOf(tfxio)).toMatchObject({
      raw_record: { kind: "dense", dtype: "string", shape: [3] },
    });
  });

  test("take the names of their record and index columns from format options", async () => {
    const formatOptions = { recordColumn: "image", recordIndexColumn: "number" };
    const tfxio = await openTfxio(file, { format, formatOptions });
    const hosts = await tensorsOf(tfxio);
    expect(hosts).toMatchObject({ number: { dtype: "int64", values: BigInt64Array.of(0n, 1n, 2n) } });
    expect(Object.keys(await tensorsOf(tfxio.project(["number"])))).toEqual(["number"]);
    expect(await tensorsOf(tfxio.project(["image"]))).toMatchObject({ image: { shape: [3] } });
  });

  test("keep their column name when opened from a description", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-raw-"));
    try {
      const name = path.join(folder, "some.tfrecord");
      await writeFile(name, file);
      const tfxio = await openTfxio(name, { format, formatOptions: { recordColumn: "image" } });
      const description: unknown = JSON.parse(JSON.stringify(describeRead(tfxio)));
      const again = await openRead(description as ReadDescription);
      expect(again.schema().feature.map((feature) => feature.name)).toEqual(["image"]);
      expect(await tensorsOf(again)).toMatchObject({ image: { shape: [3] } });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("need no schema to become a tensor, even if they are passed in memory", async () => {
    const tfxio = await recordTfxio({ records: () => records, payload: rawPayload });
    expect(await tensorsOf(tfxio)).toMatchObject({
      raw_record: { kind: "dense", dtype: "string", shape: [3] },
    });
  });

  test("are written byte for byte", async () => {
    const target = memoryTarget("copy.tfrecord");
    await writeTfxio(await openTfxio(file, { format }), target, { format });
    expect(target.bytes()).toEqual(file);
  });
});
