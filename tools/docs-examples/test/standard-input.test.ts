import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { compilePages, createWorkFolder } from "../src/compile.js";

// Sends record batches through a real pipe, from the standard output of one process to the standard input of another.

const workFolder = createWorkFolder();
afterAll(() => rmSync(workFolder, { recursive: true, force: true }));

const text = `
\`\`\`ts
// write.ts
import { RecordBatch, tableFromArrays } from "apache-arrow";
import { sendRecordBatches } from "tfxio/arrow-files/serve";

const [batch] = tableFromArrays({ x: Float32Array.of(1, 2, 3) }).batches as [RecordBatch];
const numBatches = Number(process.argv[2]);
await sendRecordBatches(function* batches() {
  for (let at = 0; at < numBatches; at++) yield batch;
}, process.stdout);
\`\`\`
\`\`\`ts
// read.ts
import { ArrowStreamDataset } from "tfxio/dataset/arrow";

const dataset = new ArrowStreamDataset("fd://-");
const numRows = process.argv[2] === "some" ? (await dataset.take(2).toArray()).length : (await dataset.toArray()).length;
console.log(numRows);
await dataset.toArray().catch((error: { reason: string }) => console.log(error.reason));
\`\`\`
`;
let modules: readonly string[];
beforeAll(() => {
  const [page] = compilePages([{ name: "pipe.md", text }], workFolder);
  expect(page?.errors).toEqual([]);
  modules = page?.modules ?? [];
}, 120_000);

function piped(
  numBatches: number,
  howMany: "all" | "some",
): { readonly lines: string[]; readonly status: number | null } {
  const [write, read] = modules.map((module) => path.resolve(module));
  const command = `"$0" "$1" ${numBatches} 2>/dev/null | "$0" "$2" ${howMany}`;
  const { stdout, status } = spawnSync(
    "sh",
    ["-c", command, process.execPath, write as string, read as string],
    {
      encoding: "utf8",
      timeout: 30_000,
    },
  );
  return { lines: stdout.trim().split("\n"), status };
}

test("a pass over standard input ends with the stream, and cannot be repeated", () => {
  expect(piped(1000, "all")).toEqual({ lines: ["3000", "not-reiterable"], status: 0 });
});

test("after an abandoned pass, both processes exit", () => {
  expect(piped(1_000_000, "some")).toEqual({ lines: ["2", "not-reiterable"], status: 0 });
});
