import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parseProto } from "@tfxio/formats-protobuf";
import {
  createDataView,
  type DataView,
  decodeDataView,
  encodeDataView,
  protoPlaceholder,
  valueFunctions as fn,
} from "@tfxio/struct2tensor";
import { loadDataView, saveDataView } from "@tfxio/struct2tensor/directory";
import { canonicalJson } from "../../src/saved/canonical-json.js";

const proto = `syntax = "proto2"; package shop;
  message Item { optional string sku = 1; optional bool kept = 3; repeated int64 n = 4; optional float price = 5; }
  message Order { optional int64 id = 1; repeated Item item = 2; repeated Item other = 3; }`;

type Json = Record<string, unknown>;
type Files = Map<string, Uint8Array>;

let folder: string;
let view: DataView;
let files: Files;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tfxio-view-"));
  const query = protoPlaceholder(await parseProto(proto, "shop.Order"))
    .filterByChild("item", "kept", "kept_item")
    .promote("kept_item.n", "n")
    .fill("item.price", NaN, "cost")
    .mapFieldValues("item.sku", fn.substring(0, 2), { as: "short" });
  view = await createDataView(query, {
    outputs: {
      n: { path: "n", view: "ragged" },
      short: { path: "item.short", view: "ragged" },
      cost: { path: "item.cost", view: "ragged" },
    },
  });
  files = new Map(await encodeDataView(view));
});

afterAll(() => rm(folder, { recursive: true }));

const jsonOf = (name: string, from: Files = files): Json =>
  JSON.parse(new TextDecoder().decode(from.get(name))) as Json;
const bytesOf = (json: unknown): Uint8Array => new TextEncoder().encode(canonicalJson(json as never));
const hash = (data: Uint8Array | string): string => createHash("sha256").update(data).digest("hex");

/** Returns the files with one JSON file changed and a matching manifest, as an attacker who knows the format would write them. */
function forged(name: string, change: (json: Json) => unknown): Files {
  const result = new Map(files);
  const json = jsonOf(name);
  result.set(name, bytesOf(change(json) ?? json));
  return resealed(result);
}

function resealed(result: Files, change: (manifest: Json) => void = () => {}): Files {
  const manifest = jsonOf("dataview.json", result);
  const listed = ["descriptors.binpb", "graph.json", "signature.json"].map((file) => ({
    path: file,
    bytes: result.get(file)!.length,
    sha256: hash(result.get(file)!),
  }));
  manifest["files"] = listed;
  change(manifest);
  delete manifest["digest"];
  const lines = listed.map((file) => `${file.path}\0${file.sha256}\n`).join("");
  manifest["digest"] = hash(lines + canonicalJson(manifest as never));
  return result.set("dataview.json", bytesOf(manifest));
}

/**
 * Returns the files with changed nodes in `graph.json`. Recomputes the node ids, so that they match the changed nodes, and
 * replaces them in `signature.json`.
 */
function forgedGraph(change: (nodes: Json[]) => void): Files {
  const renamed = new Map<unknown, string>();
  const result = forged("graph.json", (graph) => {
    const nodes = graph["nodes"] as Json[];
    const before = nodes.map(({ id }) => id);
    change(nodes);
    for (const [index, node] of nodes.entries()) {
      node["in"] = (node["in"] as string[]).map((id) => renamed.get(id) ?? id);
      const id = hash(canonicalJson([node["op"], node["attrs"], node["in"]] as never)).slice(0, 16);
      renamed.set(before[index], id);
      node["id"] = id;
    }
  });
  let signature = new TextDecoder().decode(result.get("signature.json"));
  for (const [before, after] of renamed) signature = signature.replaceAll(String(before), after);
  return resealed(result.set("signature.json", new TextEncoder().encode(signature)));
}

/** Reverses a list in place. */
function turnRound(list: unknown): void {
  const items = list as unknown[];
  items.splice(0, items.length, ...items.toReversed());
}

const nodeWith = (nodes: Json[], op: string): Json => nodes.find((node) => node["op"] === op)!;

describe("a view from untrusted files", () => {
  test("is accepted if the files are unchanged", async () => {
    await expect(decodeDataView(forgedGraph(() => {}))).resolves.toBeDefined();
  });

  test.each<[string, string, (files: Files) => void]>([
    ["a changed byte", "data-view-checksum", (all) => (all.get("descriptors.binpb")![3]! ^= 1)],
    ["a shorter file", "data-view-checksum", (all) => all.set("graph.json", all.get("graph.json")!.slice(1))],
    ["a missing file", "data-view-files", (all) => all.delete("graph.json")],
    ["a missing manifest", "data-view", (all) => all.delete("dataview.json")],
    ["an extra file", "data-view-files", (all) => all.set("model.js", new Uint8Array(1))],
  ])("with %s is rejected", async (_, reason, change) => {
    const changed = new Map([...files].map(([name, bytes]) => [name, bytes.slice()] as const));
    change(changed);
    await expect(decodeDataView(changed)).rejects.toMatchObject({ code: "malformed-payload", reason });
  });

  test.each<[string, string, string, (manifest: Json) => void]>([
    ["a later version", "unsupported", "data-view-version", (m) => (m["version"] = { major: 2, minor: 0 })],
    [
      "a later version of the operators",
      "unsupported",
      "data-view-version",
      (m) => (m["opsets"] = { core: 2 }),
    ],
    [
      "the kind of a SavedModel view",
      "malformed-payload",
      "data-view",
      (m) => (m["kind"] = "tf-saved-model"),
    ],
    ["an unknown requirement", "unsupported", "data-view-requires", (m) => (m["requires"] = ["tfjs-node"])],
    ["an unknown kind", "malformed-payload", "data-view", (m) => (m["kind"] = "other")],
    ["an unknown format", "malformed-payload", "data-view", (m) => (m["format"] = "other")],
    ["an unknown member", "malformed-payload", "data-view", (m) => (m["extra"] = 1)],
    [
      "only one of the decoding rules",
      "malformed-payload",
      "data-view",
      (m) => (m["semantics"] = { oneof: "last" }),
    ],
    ["an unknown root type", "malformed-payload", "data-view", (m) => (m["rootMessage"] = "shop.Nope")],
    [
      "a path that leaves the directory",
      "malformed-payload",
      "data-view-files",
      (m) => ((m["files"] as Json[])[0]!["path"] = "../descriptors.binpb"),
    ],
    [
      "too many files",
      "malformed-payload",
      "data-view-size",
      (m) => (m["files"] = Array.from({ length: 100_000 }, () => ({}))),
    ],
  ])("is rejected if its manifest has %s", async (_, code, reason, change) => {
    await expect(decodeDataView(resealed(new Map(files), change))).rejects.toMatchObject({ code, reason });
  });

  test.each<[string, (nodes: Json[]) => void]>([
    ["an unknown operator", (nodes) => (nodeWith(nodes, "promote")["op"] = "eval")],
    [
      "an operator named like a member of Object.prototype",
      (nodes) => (nodeWith(nodes, "promote")["op"] = "constructor"),
    ],
    ["an operator that takes a callback", (nodes) => (nodeWith(nodes, "promote")["op"] = "transform")],
    ["an operator without its inputs", (nodes) => (nodeWith(nodes, "promote")["in"] = [])],
    ["inputs that do not exist", (nodes) => (nodeWith(nodes, "promote")["in"] = ["0", "1"])],
    ["inputs in the wrong order", (nodes) => turnRound(nodeWith(nodes, "promote")["in"])],
    [
      "a node with a type that its operator does not return",
      (nodes) => ((nodeWith(nodes, "promote")["type"] as Json)["dtype"] = "string"),
    ],
    ["additional attributes", (nodes) => (nodeWith(nodes, "promote")["attrs"] = { code: "1" })],
    ["an unknown field", (nodes) => (nodeWith(nodes, "field")["attrs"] = { path: ["nope"] })],
    [
      "an unknown function",
      (nodes) => (nodeWith(nodes, "mapFieldValues")["attrs"] = { fn: { name: "eval", args: [] } }),
    ],
    [
      "a function named like a member of Object.prototype",
      (nodes) => (nodeWith(nodes, "mapFieldValues")["attrs"] = { fn: { name: "toString", args: [] } }),
    ],
    [
      "a function argument of the wrong type",
      (nodes) =>
        (nodeWith(nodes, "mapFieldValues")["attrs"] = { fn: { name: "substring", args: ["0", null] } }),
    ],
    [
      "one function argument too many",
      (nodes) =>
        (nodeWith(nodes, "mapFieldValues")["attrs"] = { fn: { name: "substring", args: [0, null, 1] } }),
    ],
    [
      "a constant that is not a number",
      (nodes) => (nodeWith(nodes, "fill")["attrs"] = { value: { float: "abc" } }),
    ],
    [
      "a mask that belongs to a different message",
      (nodes) => {
        const kept = nodes.find((node) => String((node["attrs"] as Json)["path"]) === "item,kept")!;
        kept["attrs"] = { path: ["other", "kept"] };
      },
    ],
  ])("is rejected if its graph has %s", async (_, change) => {
    await expect(decodeDataView(forgedGraph(change))).rejects.toMatchObject({
      code: "malformed-payload",
      reason: "data-view",
      uri: "graph.json",
    });
  });

  test("is rejected if a node id is changed, nodes precede their inputs, or the graph has too many nodes", async () => {
    const renamed = forged(
      "graph.json",
      (graph) => void ((graph["nodes"] as Json[])[1]!["id"] = "0123456789abcdef"),
    );
    await expect(decodeDataView(renamed)).rejects.toMatchObject({ uri: "graph.json" });
    const cyclic = forged("graph.json", (graph) => turnRound(graph["nodes"]));
    await expect(decodeDataView(cyclic)).rejects.toMatchObject({ uri: "graph.json" });
    const many = forged("graph.json", () => ({ nodes: Array.from({ length: 70_000 }, () => 0) }));
    await expect(decodeDataView(many)).rejects.toMatchObject({ reason: "data-view-size" });
  });

  test("is rejected if its JSON is nested too deeply, repeats a key, has spaces, is truncated or is not UTF-8", async () => {
    const texts = ["[".repeat(100_000), '{"nodes":[],"nodes":[]}', '{ "nodes": [] }', "{"];
    const contents = [...texts.map((text) => new TextEncoder().encode(text)), Uint8Array.of(0xff)];
    for (const content of contents) {
      const changed = resealed(new Map(files).set("graph.json", content));
      await expect(decodeDataView(changed)).rejects.toMatchObject({ reason: "data-view", uri: "graph.json" });
    }
  });

  test.each<[string, (output: Json) => void]>([
    ["a different spec", (output) => (output["spec"] = {})],
    ["different source paths", (output) => (output["sourcePaths"] = [])],
    ["a path whose nodes are reversed", (output) => turnRound(output["path"])],
    ["too few steps", (output) => (output["steps"] = [])],
    ["an unknown view", (output) => (output["view"] = "eval")],
    ["a size below 0", (output) => Object.assign(output, { view: "dense", shape: [-1] })],
  ])("is rejected if its signature has %s", async (_, change) => {
    const changed = forged("signature.json", (json) => change((json["outputs"] as Json[])[0]!));
    await expect(decodeDataView(changed)).rejects.toMatchObject({
      uri: "signature.json",
      reason: "data-view",
    });
  });

  test("may have an output named like a member of Object.prototype", async () => {
    const outputs = JSON.parse('{"__proto__": {"path": "id", "view": "ragged"}}') as never;
    const named = await createDataView(protoPlaceholder(await parseProto(proto, "shop.Order")), { outputs });
    const loaded = await decodeDataView(await encodeDataView(named));
    expect(loaded.outputs.map(({ name }) => name)).toEqual(["__proto__"]);
  });
});

describe("the directory of a saved view", () => {
  let count = 0;
  const saved = async (): Promise<string> => {
    const directory = path.join(folder, `view${count++}`);
    await saveDataView(view, directory);
    return directory;
  };

  test("holds exactly the view's files, and no temporary folder remains beside it", async () => {
    const directory = await saved();
    const loaded = await loadDataView(directory);
    expect(await encodeDataView(loaded)).toEqual(files);
    expect((await readdir(directory)).sort()).toEqual([
      "dataview.json",
      "descriptors.binpb",
      "graph.json",
      "signature.json",
    ]);
    expect((await readdir(folder)).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  test("is not overwritten if it already has files", async () => {
    const directory = await saved();
    await expect(saveDataView(view, directory)).rejects.toMatchObject({ code: "io-failed" });
    await expect(loadDataView(directory)).resolves.toBeDefined();
    expect((await readdir(folder)).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  test("is rejected if it does not exist, or is a link or a file", async () => {
    await expect(loadDataView(path.join(folder, "none"))).rejects.toMatchObject({ code: "not-found" });
    const directory = await saved();
    await symlink(directory, path.join(folder, "linked"));
    await expect(loadDataView(path.join(folder, "linked"))).rejects.toMatchObject({
      reason: "data-view-files",
    });
    await expect(loadDataView(path.join(directory, "graph.json"))).rejects.toMatchObject({
      reason: "data-view-files",
    });
  });

  test("is rejected if it contains a link, an empty models folder, an extra file or a huge file", async () => {
    const linked = await saved();
    await rm(path.join(linked, "graph.json"));
    await symlink("/etc/passwd", path.join(linked, "graph.json"));
    await expect(loadDataView(linked)).rejects.toMatchObject({
      reason: "data-view-files",
      uri: "graph.json",
    });
    const nested = await saved();
    await mkdir(path.join(nested, "models"));
    await expect(loadDataView(nested)).rejects.toMatchObject({ reason: "data-view-files", uri: "models" });
    const extra = await saved();
    await writeFile(path.join(extra, "run.js"), "");
    await expect(loadDataView(extra)).rejects.toMatchObject({ reason: "data-view-files", uri: "run.js" });
    const huge = await saved();
    await truncate(path.join(huge, "graph.json"), 2 ** 40);
    await expect(loadDataView(huge)).rejects.toMatchObject({ reason: "data-view-size", uri: "graph.json" });
  });

  test("is rejected if its manifest, which is written last, is missing", async () => {
    const directory = await saved();
    await rm(path.join(directory, "dataview.json"));
    await expect(loadDataView(directory)).rejects.toMatchObject({
      reason: "data-view",
      uri: "dataview.json",
    });
  });
});
