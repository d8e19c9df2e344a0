import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { bytesSource, openTarget, type TargetInput } from "@tfxio/wire";
import { assertTargetApart, openTfxio, shardName, writeShards, writeTfxio } from "../../src/index.js";

const CSV = "id,name\n1,Ada\n2,Grace\n";
const rejected = expect.objectContaining({
  code: "invalid-argument",
  reason: "target-is-source",
  argument: "target",
});
let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "tfxio-apart-"));
  writeFileSync(at("a.csv"), CSV);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a target that is one of the sources", () => {
  test.each<[string, () => Promise<string[]> | string, () => TargetInput | Promise<TargetInput>]>([
    ["the paths are equal", () => at("a.csv"), () => at("a.csv")],
    ["the paths differ only in spelling", () => at("a.csv"), () => `${folder}/./x/../a.csv`],
    ["the target is a file URL", () => at("a.csv"), () => pathToFileURL(at("a.csv")).href],
    ["the target is a URL object", () => at("a.csv"), () => pathToFileURL(at("a.csv"))],
    ["the target is already open", () => at("a.csv"), () => openTarget(at("a.csv"))],
    ["the source is a glob that matches the target", () => at("*.csv"), () => at("a.csv")],
    ["the source is a symbolic link to the target", () => at("link.csv"), () => at("a.csv")],
    ["the target is a symbolic link to the source", () => at("a.csv"), () => at("link.csv")],
    ["the target is a hard link to the source", () => at("a.csv"), () => at("hard.csv")],
  ])("is rejected if %s, and nothing is written", async (_, source, target) => {
    mkdirSync(at("x"));
    symlinkSync(at("a.csv"), at("link.csv"));
    linkSync(at("a.csv"), at("hard.csv"));
    const before = readdirSync(folder);
    const tfxio = await openTfxio(await source(), { columnForm: "stored" });
    await expect(writeTfxio(tfxio, await target(), { format: "csv" })).rejects.toEqual(rejected);
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(at("a.csv"), "utf8")).toBe(CSV);
  });

  test("is rejected even if only the training part of the source is written", async () => {
    const { train } = (await openTfxio(at("a.csv"))).split({ validation: 0.5 });
    await expect(writeTfxio(train, at("a.csv"))).rejects.toEqual(rejected);
  });

  test.each([{ numShards: 1 }, { numShards: 2 }, { shardBytes: 100 }])(
    "is rejected with the options %j if the sources are its old shards",
    async (options) => {
      const shards = [0, 1].map((index) => shardName(at("b.csv"), index, 2));
      for (const shard of shards) writeFileSync(shard, CSV);
      const tfxio = await openTfxio(shards, { inferSchema: "full" });
      await expect(writeTfxio(tfxio, at("b.csv"), options)).rejects.toEqual(rejected);
      await expect(writeShards(tfxio, at("b.csv"), options)).rejects.toEqual(rejected);
      expect(shards.map((shard) => readFileSync(shard, "utf8"))).toEqual([CSV, CSV]);
      expect(readdirSync(folder)).toHaveLength(3);
    },
  );
});

test("a write may replace a copy of its source, or a file whose path an in-memory source uses only as its URI", async () => {
  writeFileSync(at("b.csv"), CSV);
  await writeTfxio(await openTfxio(at("a.csv")), at("b.csv"));
  const copy = bytesSource(new TextEncoder().encode("id,name\n3,Alan\n"), at("a.csv"));
  await writeTfxio(await openTfxio(copy), at("a.csv"));
  expect(readFileSync(at("a.csv"), "utf8").replaceAll("\r\n", "\n")).toBe("id,name\n3,Alan\n");
});

test("assertTargetApart compares the URIs of stores literally", async () => {
  const uri = "memory://bucket/a.csv";
  const bytes = new TextEncoder().encode(CSV);
  const store = {
    schemes: ["memory:"],
    open: async () => ({ ...bytesSource(bytes, uri), origin: uri }),
  };
  const tfxio = await openTfxio(uri, { stores: [store] });
  await expect(assertTargetApart(tfxio, uri)).rejects.toEqual(rejected);
  await expect(assertTargetApart(tfxio, "memory://bucket/b.csv")).resolves.toBeUndefined();
});
