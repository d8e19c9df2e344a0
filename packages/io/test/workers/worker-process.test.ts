import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { threeFiles } from "../fixtures.js";
import { describeBuilt } from "../worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-worker-process-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => {
  for (const [index, file] of threeFiles().entries())
    writeFileSync(path.join(folder, `${index}.tfrecord`), file);
});

/** Runs a program in a separate process, where `tfxio` reads the files. Returns its exit status and output. */
function run(
  program: string,
  flags: readonly string[] = ["--input-type=module"],
): { status: number | null; stdout: string; stderr: string } {
  const code = `(async () => { const { openTfxio } = await import("@tfxio/io");
    const tfxio = await openTfxio(${JSON.stringify(path.join(folder, "*.tfrecord"))}, { inferSchema: "first" });
    ${program} })()`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, "-e", code], {
    cwd: path.join(import.meta.dirname, "../.."),
    encoding: "utf8",
    timeout: 50_000,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  return { status, stdout, stderr };
}

describeBuilt("a process with worker threads exits by itself", () => {
  test.each([
    [
      "after all rows were read",
      "let n = 0; for await (const b of tfxio.recordBatches({ workers: 2 })) n += b.numRows; console.log(n);",
      "30",
    ],
    [
      'after it has read files of unknown size with the default, workers: "auto"',
      "const { openSources } = await import('@tfxio/wire'); " +
        `const files = (await openSources(${JSON.stringify(path.join(folder, "*.tfrecord"))})).map((file) => ({ ...file, byteLength: undefined, ` +
        "slice: (...range) => file.slice(...range), stream: (options) => file.stream(options) })); " +
        "const unsized = await openTfxio(files, { inferSchema: 'first' }); " +
        "let n = 0; for await (const b of unsized.recordBatches()) n += b.numRows; console.log(n);",
      "30",
    ],
    [
      "after two passes in the same threads",
      "let n = 0; for (let i = 0; i < 2; i++) for await (const b of tfxio.recordBatches({ workers: 2 })) n += b.numRows; console.log(n);",
      "60",
    ],
    [
      "after a break out of the loop over batches",
      "for await (const b of tfxio.recordBatches({ workers: 2 })) { console.log(b.numRows); break; }",
      "10",
    ],
    [
      "even if leases were never released",
      "const it = tfxio.leasedBatches({ workers: 2 })[Symbol.asyncIterator](); await it.next(); console.log((await it.next()).value.batch.numRows);",
      "5",
    ],
    [
      "after an error",
      "await tfxio.recordBatches({ workers: 2, onProgress() { throw 1; } })[Symbol.asyncIterator]().next().catch((e) => console.log(e.code));",
      "user-function",
    ],
    [
      "even if an iterator was abandoned halfway",
      "const it = tfxio.recordBatches({ workers: 1 })[Symbol.asyncIterator](); console.log((await it.next()).value.numRows);",
      "10",
    ],
    [
      "even if an iterator was never started",
      "tfxio.recordBatches({ workers: 1 }); console.log('idle');",
      "idle",
    ],
  ])("%s", (_, program, expected) => {
    expect(run(program)).toEqual({ status: 0, stdout: `${expected}\n`, stderr: "" });
  });
});

describeBuilt("worker threads start", () => {
  test.each([
    ["with V8 flags", ["--max-old-space-size=4096", "--expose-gc", "--stack-size=900"]],
    ["with V8 flags and --input-type", ["--max-old-space-size=4096", "--input-type=module"]],
    ["with flags whose values are separate arguments", ["--conditions", "other", "--input-type", "module"]],
    ["with warnings turned off", ["--no-warnings"]],
  ])("%s", (_, flags) => {
    const count =
      "let n = 0; for await (const b of tfxio.recordBatches({ workers: 2 })) n += b.numRows; console.log(n);";
    expect(run(count, flags)).toEqual({ status: 0, stdout: "30\n", stderr: "" });
  });
});
