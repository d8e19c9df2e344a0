import { expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { jsonl } from "@tfxio/formats-jsonl";
import { openSources } from "@tfxio/wire";
import { plainRows, type PlainRow } from "@tfxio/arrow-encoding";

// Real files, compared with JSON.parse.
const require = createRequire(import.meta.url);
const vega = path.join(path.dirname(require.resolve("vega-datasets")), "../data");
const iris = path.resolve(import.meta.dirname, "../../../../shared/data/json/iris.json");

async function rowsOf(file: string, options: Parameters<typeof jsonl.open>[1] = {}): Promise<PlainRow[]> {
  const reader = await jsonl.open(await openSources(file), options);
  const plan = await reader.plan({ batchSize: 1000 });
  const rows: PlainRow[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split)) rows.push(...plainRows(batch));
  await reader.close();
  return rows;
}

/** Removes members that are null, because Arrow does not distinguish them from absent members. */
function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

test.each([
  ["cars"],
  ["penguins"],
  ["flights-2k"],
  ["flights-20k"],
  ["barley"],
  ["burtin"],
  ["countries"],
  ["driving"],
  ["jobs"],
  ["unemployment-across-industries"],
])("%s.json of vega-datasets yields the rows that JSON.parse reads", async (name) => {
  const file = path.join(vega, `${name}.json`);
  const expected = JSON.parse(readFileSync(file, "utf8")) as object[];
  expect((await rowsOf(file)).map(withoutNulls)).toEqual(expected.map(withoutNulls));
});

test("movies.json, where titles are text or numbers, is rejected, or its titles become text on request", async () => {
  const file = path.join(vega, "movies.json");
  await expect(rowsOf(file)).rejects.toMatchObject({
    code: "schema-mismatch",
    reason: "wrong-kind",
    columnPath: "Title",
  });
  const expected = JSON.parse(readFileSync(file, "utf8")) as { Title: unknown }[];
  const titles = expected.map(({ Title }) => (Title === null ? null : String(Title)));
  const rows = await rowsOf(file, { options: { onMixed: "widen" } });
  expect(rows.map(({ Title }) => (Title === null ? null : String(Title)))).toEqual(titles);
});

(existsSync(iris) ? test : test.skip)(
  "iris.json of tensorflow/io yields the rows that JSON.parse reads",
  async () => {
    const content = readFileSync(iris, "utf8");
    const expected = content.trimStart().startsWith("[")
      ? (JSON.parse(content) as object[])
      : content
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as object);
    expect(expected.length).toBe(150);
    expect(await rowsOf(iris)).toEqual(expected);
  },
);
