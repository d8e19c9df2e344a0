import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createStreamClient } from "@tfxio/formats-arrow/client";
import { plainRows } from "tfxio";
import { Interruption } from "../../src/cli/host.js";
import { tfxio } from "./command.js";
import { PEOPLE, PEOPLE_FILES, peopleFolder, readingArguments } from "./people.js";

let folder: string;
beforeAll(async () => {
  folder = await peopleFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces each list in a row by its only value, because only some formats have list columns. Rounds floats to float32. */
const withoutLists = (row: object): unknown =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const [single] = Array.isArray(value) ? (value as unknown[]) : [value];
      return [
        name,
        typeof single === "number" && !Number.isInteger(single) ? Math.fround(single) : (single ?? null),
      ];
    }),
  );

test.each(PEOPLE_FILES)(
  "serve sends all rows of %s to each client until the command is interrupted",
  async (file) => {
    const socket = path.join(folder, `${file}.sock`);
    const ending = new AbortController();
    const argv = ["serve", ...readingArguments(folder, file), "--listen", `unix://${socket}`];
    const serving = tfxio(argv, { signal: ending.signal });
    while (!existsSync(socket)) await new Promise((resolve) => setTimeout(resolve, 10));
    for (let client = 0; client < 2; client++) {
      const rows: object[] = [];
      for await (const batch of createStreamClient(`unix://${socket}`).recordBatches())
        rows.push(...plainRows(batch));
      expect(rows.map(withoutLists)).toEqual(PEOPLE.map(withoutLists));
    }
    ending.abort(new Interruption("SIGINT"));
    const { code, stdout, stderr } = await serving;
    expect([code, stdout]).toEqual([0, `unix://${socket}\n`]);
    expect(stderr.match(/5 rows, .*, complete/g)).toHaveLength(2);
  },
);

test("serve rejects --to, which is an option for target files", async () => {
  const argv = ["serve", path.join(folder, "people.csv"), "--to", "arrow"];
  expect(await tfxio(argv)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown option '--to'"),
  });
});

test("serve rejects an endpoint that is neither host:port nor a URL", async () => {
  const { code, stderr } = await tfxio(["serve", path.join(folder, "people.csv"), "--listen", "nowhere"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("It must be host:port")]);
});
