import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { openMetadataStore } from "@tfxio/artifacts";
import { output, tfxio } from "./command.js";
import { writeMetadataStore } from "./metadata.js";

let folder: string;
let file: string;
const at = (...names: string[]): string => path.join(folder, ...names);
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "tfxio-metadata-"));
  file = await writeMetadataStore(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const artifacts = (name: string, ...words: string[]): Promise<string> =>
  output(["artifacts", name, file, ...words]);
const objects = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const ids = (text: string): unknown[] => objects(text).map(({ id }) => id);

describe("artifacts ls", () => {
  test("lists the artifacts of a store in the order of their ids", async () => {
    const [head, ...rows] = (await artifacts("ls")).trim().split("\n");
    expect(head?.split(/ {2,}/)).toEqual(["id", "type", "state", "name", "uri"]);
    expect(rows.map((row) => row.split(/ +/).slice(0, 3))).toEqual([
      ["1", "Examples", "LIVE"],
      ["2", "Examples", "LIVE"],
      ["3", "Model", "LIVE"],
    ]);
  });

  test("accepts a filter query, a limit and an order", async () => {
    expect(ids(await artifacts("ls", "--json", "-w", "type = 'Model'"))).toEqual([3]);
    expect(ids(await artifacts("ls", "--json", "-w", "properties.span.int_value = 2"))).toEqual([2]);
    expect(ids(await artifacts("ls", "--json", "-n", "2"))).toEqual([1, 2]);
    expect(ids(await artifacts("ls", "--json", "--newest", "-n", "1"))).toEqual([3]);
    expect(ids(await artifacts("ls", "--json", "-n", "0"))).toEqual([]);
  });

  test("lists more artifacts than one page holds", async () => {
    const store = await openMetadataStore(file);
    const type = store.artifacts.byId([3])[0]?.typeId as number;
    store.artifacts.put(Array.from({ length: 1200 }, (_, row) => ({ typeId: type, uri: `/x/${row}` })));
    store.close();
    expect(ids(await artifacts("ls", "--json"))).toEqual(Array.from({ length: 1203 }, (_, row) => row + 1));
    expect(ids(await artifacts("ls", "--json", "-n", "777"))).toHaveLength(777);
  });

  test("escapes control characters in names", async () => {
    const store = await openMetadataStore(file);
    const type = store.artifacts.byId([3])[0]?.typeId as number;
    store.artifacts.put([{ typeId: type, name: "\u001B[2Jgone\nnext", uri: "/x" }]);
    store.close();
    const text = await artifacts("ls");
    expect(text).toContain(String.raw`\u001b[2Jgone\u000anext`);
    expect(text).not.toContain("\u001B");
  });

  test("explains an invalid query, an invalid file and a missing file", async () => {
    const query = await tfxio(["artifacts", "ls", file, "-w", "state ="]);
    expect([query.code, query.stderr.includes("hint: use a filter query of ML Metadata")]).toEqual([2, true]);
    writeFileSync(at("other.sqlite"), "no database".repeat(200));
    const other = await tfxio(["artifacts", "ls", at("other.sqlite")]);
    expect([other.code, other.stderr.includes("error [corrupt-record]")]).toEqual([4, true]);
    const missing = await tfxio(["artifacts", "ls", at("nope.sqlite")]);
    expect([missing.code, missing.stderr.includes("error [not-found]")]).toEqual([3, true]);
    expect(existsSync(at("nope.sqlite"))).toBe(false);
  });
});

describe("tfxio artifacts show", () => {
  test("shows the members, properties and events of an artifact", async () => {
    const rows = new Map(
      (await artifacts("show", "3"))
        .trim()
        .split("\n")
        .map((line) => line.split(/ {2,}/) as [string, string]),
    );
    expect(rows.get("type")).toBe("Model");
    expect(rows.get("loss")).toBe("0.25");
    expect(rows.get("output")).toMatch(/^Trainer 1 COMPLETE/);
    expect(rows.get("uri")).toContain(at("pipeline"));
  });

  test("writes JSON that includes events and contexts, with integers beyond 2^53 as text and times in ISO 8601", async () => {
    const [model] = objects(await artifacts("show", "3", "--json"));
    expect(model).toMatchObject({
      id: 3,
      state: "LIVE",
      customProperties: { loss: 0.25, steps: "9007199254740993" },
      createTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(model?.["events"]).toContainEqual({ type: "OUTPUT", executionId: 1, path: ["model", 0] });
    expect(model?.["contexts"]).toContainEqual({ id: expect.any(Number), type: "pipeline", name: "taxi" });
  });

  test("rejects an id that the store lacks, and a word that is not an id", async () => {
    const { code, stderr } = await tfxio(["artifacts", "show", file, "99"]);
    expect(code).toBe(2);
    expect(stderr).toContain("has no artifact 99");
    expect(stderr).toContain("hint: tfxio artifacts ls STORE");
    expect((await tfxio(["artifacts", "show", file, "model"])).code).toBe(2);
  });
});

describe("artifacts lineage", () => {
  const label = (line: string): string => line.replace(/ (\/|[\w-]+:).*$/, "");

  test("draws the artifacts and executions from which an artifact was made", async () => {
    const lines = (await artifacts("lineage", "3", "--direction", "upstream")).trim().split("\n");
    expect(lines.map(label)).toEqual([
      "Model 3 LIVE",
      expect.stringMatching(/^└─ Trainer 1 COMPLETE/),
      "   └─ Examples 2 LIVE",
    ]);
  });

  test("draws what was made from an artifact, up to --max-hops", async () => {
    expect((await artifacts("lineage", "2")).trim().split("\n")).toHaveLength(3);
    expect((await artifacts("lineage", "2", "--max-hops", "1")).trim().split("\n")).toHaveLength(2);
    expect((await artifacts("lineage", "1")).trim().split("\n")).toHaveLength(1);
  });

  test("writes a flowchart with --mermaid or ids with --json, but not both", async () => {
    const chart = (await artifacts("lineage", "2", "--mermaid")).split("\n");
    expect(chart[0]).toBe("flowchart LR");
    expect(chart).toContain("  a2 --> e1");
    expect(chart).toContain("  e1 --> a3");
    const [lineage] = objects(await artifacts("lineage", "2", "--json"));
    expect(lineage).toMatchObject({ artifactIds: [2, 3], executionIds: [1] });
    expect((await tfxio(["artifacts", "lineage", file, "2", "--json", "--mermaid"])).code).toBe(2);
  });
});

describe("tfxio artifacts mark", () => {
  test.each([
    [["--type", "Exampels"], "No live artifact has the type Exampels.\n"],
    [
      ["--type", "Examples", "--by", "spam"],
      "No live artifact has the type Examples and the property spam.\n",
    ],
    [["--type", "Examples", "--by", "span"], ""],
    [["--type", "Examples"], ""],
  ])(
    "reports an unknown type or property, but is silent if all artifacts are kept (options: %j)",
    async (options, message) => {
      const marked = await tfxio(["artifacts", "mark", file, "--keep", "9", ...options]);
      expect(marked).toMatchObject({ code: 0, stdout: "Marked 0 artifacts.\n", stderr: message });
      const json = await tfxio(["artifacts", "mark", file, "--keep", "9", "--json", ...options]);
      expect(json).toMatchObject({ code: 0, stdout: "", stderr: message });
    },
  );
});

describe("the commands `artifacts mark` and `artifacts gc`", () => {
  const stateOf = async (id: string): Promise<unknown> =>
    objects(await artifacts("show", id, "--json"))[0]?.["state"];
  const root = (): string[] => ["--root", at("pipeline")];

  test("mark old artifacts by a property, and delete their bytes", async () => {
    const marking = ["--type", "Examples", "--keep", "1", "--by", "span"];
    expect(await artifacts("mark", ...marking)).toMatch(
      /^Examples 1 MARKED_FOR_DELETION .*\nMarked 1 artifact\.\n$/,
    );
    expect(await artifacts("gc", ...root())).toMatch(/Deleted the bytes of 1 artifact\.\n$/);
    expect(existsSync(at("pipeline/examples/1"))).toBe(false);
    expect(existsSync(at("pipeline/examples/2/Split-train"))).toBe(true);
    expect([await stateOf("1"), await stateOf("2")]).toEqual(["DELETED", "LIVE"]);
  });

  test("change nothing in a dry run, which explains what would be deleted", async () => {
    const marking = ["--type", "Examples", "--keep", "1"];
    expect(ids(await artifacts("mark", ...marking, "--dry-run", "--json"))).toEqual([1]);
    expect(await stateOf("1")).toBe("LIVE");
    await artifacts("mark", ...marking);
    const text = await artifacts("gc", ...root(), "--dry-run");
    expect(text).toContain(at("pipeline/examples/1"));
    expect(text).toMatch(/Would delete the bytes of 1 artifact\.\n$/);
    expect(objects(await artifacts("gc", ...root(), "--dry-run", "--json"))).toMatchObject([
      { action: "delete", uri: at("pipeline/examples/1"), ownerIds: [1] },
    ]);
    expect(existsSync(at("pipeline/examples/1"))).toBe(true);
    expect(await stateOf("1")).toBe("MARKED_FOR_DELETION");
  });

  test("keep artifacts that are outside the root or used by a running execution, as a dry run shows", async () => {
    const store = await openMetadataStore(file);
    const [examples] = store.artifacts.byId([1]);
    const typeId = store.executions.byId([1])[0]?.typeId as number;
    const [executionId] = store.executions.put([{ typeId, lastKnownState: "RUNNING" }]) as [number];
    store.events.put([{ artifactId: 1, executionId, type: "INPUT" }]);
    expect(await artifacts("mark", "--type", "Examples", "--keep", "1", "--dry-run")).toBe(
      "Would mark 0 artifacts.\n",
    );
    store.artifacts.put([{ ...examples, state: "MARKED_FOR_DELETION" }]);
    store.close();
    const reasons = async (...words: string[]): Promise<unknown[]> =>
      objects(await artifacts("gc", "--dry-run", "--json", ...words)).map(({ reason }) => reason);
    expect(await reasons(...root())).toEqual(["LOCKED"]);
    expect(await reasons(...root(), "--ignore-executions-after", "1")).toEqual(["LOCKED"]);
    mkdirSync(at("other"));
    expect(await reasons("--root", at("other"))).toEqual(["OUTSIDE_ROOT"]);
  });

  test("differ: only gc requires a root, and the root must exist", async () => {
    expect((await tfxio(["artifacts", "gc", file])).stderr).toContain("required option '--root <folder>'");
    expect((await tfxio(["artifacts", "gc", file, "--root", at("nope")])).code).toBe(3);
  });
});

describe("the artifacts group", () => {
  test("lists its commands, and suggests a command for a mistyped name", async () => {
    const { stdout } = await tfxio(["artifacts", "--help"]);
    for (const name of ["ls", "show", "lineage", "mark", "gc"])
      expect(stdout).toMatch(new RegExp(`\\n  ${name} `));
    const { code, stderr } = await tfxio(["artifacts", "lineag"]);
    expect([code, stderr.includes("Did you mean lineage?")]).toEqual([2, true]);
  });

  test("completes its commands, and their options and choices", async () => {
    const words = async (...line: string[]): Promise<string[]> =>
      (await output(["complete", "--", ...line])).trim().split("\n");
    expect(await words("artifacts", "")).toEqual(["ls", "show", "lineage", "mark", "gc", "help"]);
    expect(await words("artifacts", "l")).toEqual(["ls", "lineage"]);
    expect(await words("artifacts", "gc", "--")).toContain("--dry-run");
    expect(await words("artifacts", "lineage", "x", "3", "-d", "up")).toEqual(["upstream"]);
  });
});
