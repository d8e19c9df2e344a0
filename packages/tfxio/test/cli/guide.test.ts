import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { installedCommand } from "./command.js";
import { writeMetadataStore } from "./metadata.js";
import { peopleFolder, writeTrainingFiles } from "./people.js";

// Runs the `tfxio` and `head` commands in the `console` blocks of pages, and compares their output with the blocks. With
// TFXIO_WRITE_GUIDE=1, updates the pages instead.

const root = path.resolve(import.meta.dirname, "../../../..");
const main = path.join(root, "packages/tfxio/dist/cli/main.js");
const describeBuilt = installedCommand !== undefined || existsSync(main) ? describe : describe.skip;

let folder: string;
beforeAll(async () => {
  folder = await peopleFolder();
  const at = (name: string): string => path.join(folder, name);
  await writeTrainingFiles(folder);
  await writeMetadataStore(folder);
  mkdirSync(at(".bin"));
  const command = installedCommand ?? `${process.execPath} ${main}`;
  writeFileSync(at(".bin/tfxio"), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the output of a command line, with both streams mixed as in a terminal. */
function printed(line: string): string {
  const env = { ...process.env, PATH: `${folder}/.bin:${process.env["PATH"] ?? ""}` };
  const text = execFileSync("bash", ["-c", `(${line}) 2>&1; true`], { cwd: folder, env, encoding: "utf8" });
  const placed = text.replaceAll(folder, "/data");
  return placed === "" || placed.endsWith("\n") ? placed : `${placed}\n`;
}

/** Replaces or removes text that differs between machines or runs. */
const comparable = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replaceAll(/ in \d+\.\d s/g, " in … s")
    // The size of an index varies, because it stores the modification time of the TFRecord file as text.
    .replaceAll(/(\.index: \d+ records), \d+ B/g, "$1, … B")
    .replaceAll(/\b\d+\.\d+\.\d+\b( on \w+ \w+)?/g, "…")
    .replaceAll(/^threads .*$/gm, "threads …")
    .replaceAll(/^(part|tfxio|Node|apache-arrow|kernels) +/gm, "$1 ")
    // The available backends depend on the machine.
    .replaceAll(/^(backend|tfjs-node-gpu|tfjs-node|webgpu|wasm|cpu|→) .*\n/gm, "")
    .replaceAll(/\n{2,}/g, "\n\n");

describeBuilt.each(["docs/guides/command.md", "README.md"])("%s", (page) => {
  const file = path.join(root, page);
  const text = readFileSync(file, "utf8");
  const run = (): string =>
    text.replaceAll(/^```console\n([\s\S]*?)^```$/gm, (_, block: string) => {
      const commands = block.split("\n").filter((line) => /^\$ (?:npx )?(?:tfxio|head) /.test(line));
      return `\`\`\`console\n${commands.map((line) => `${line}\n${printed(line.slice(2).replace(/^npx /, ""))}`).join("")}\`\`\``;
    });

  test("shows what its commands print", () => {
    if (process.env["TFXIO_WRITE_GUIDE"] === "1") writeFileSync(file, run());
    else expect(comparable(text)).toBe(comparable(run()));
  });
});
