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

describe("a target that is a source of its own data", () => {
  test.each<[string, () => Promise<string[]> | string, () => TargetInput | Promise<TargetInput>]>([
    ["by its path", () => at("a.csv"), () => at("a.csv")],
    ["by another path", () => at("a.csv"), () => path.join(folder, ".", "x", "..", "a.csv")],
    ["by a file URL", () => at("a.csv"), () => pathToFileURL(at("a.csv")).href],
    ["by a URL object", () => at("a.csv"), () => pathToFileURL(at("a.csv"))],
    ["as an opened target", () => at("a.csv"), () => openTarget(at("a.csv"))],
    ["as what a glob matches", () => at("*.csv"), () => at("a.csv")],
    ["read through a symbolic link", () => at("link.csv"), () => at("a.csv")],
    ["written through a symbolic link", () => at("a.csv"), () => at("link.csv")],
    ["under another name of the file", () => at("a.csv"), () => at("hard.csv")],
  ])("is rejected %s, and nothing is written", async (_, source, target) => {
    mkdirSync(at("x"));
    symlinkSync(at("a.csv"), at("link.csv"));
    linkSync(at("a.csv"), at("hard.csv"));
    const before = readdirSync(folder);
    const tfxio = await openTfxio(await source(), { columnForm: "stored" });
    await expect(writeTfxio(tfxio, await target(), { format: "csv" })).rejects.toEqual(rejected);
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(at("a.csv"), "utf8")).toBe(CSV);
  });

  test("is rejected if it is a source of a split", async () => {
    const { train } = (await openTfxio(at("a.csv"))).split({ validation: 0.5 });
    await expect(writeTfxio(train, at("a.csv"))).rejects.toEqual(rejected);
  });

  test.each([{ numShards: 1 }, { numShards: 2 }, { shardBytes: 100 }])(
    "is rejected as one of the shards of %j",
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

test("a target with the same text, or the name of bytes in memory, is replaced", async () => {
  writeFileSync(at("b.csv"), CSV);
  await writeTfxio(await openTfxio(at("a.csv")), at("b.csv"));
  const copy = bytesSource(new TextEncoder().encode("id,name\n3,Alan\n"), at("a.csv"));
  await writeTfxio(await openTfxio(copy), at("a.csv"));
  expect(readFileSync(at("a.csv"), "utf8").replaceAll("\r\n", "\n")).toBe("id,name\n3,Alan\n");
});

test("URIs of stores are compared literally", async () => {
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
