import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { compilePages, createWorkFolder } from "../src/compile.js";
import { brokenLinks } from "../src/links.js";
import { examplePages, markdownPages } from "../src/pages.js";

const pages = markdownPages();
const workFolder = createWorkFolder();
// Programs run in this folder, so that the files that they write are outside the repository.
const workingDirectory = mkdtempSync(path.join(tmpdir(), "tfxio-docs-"));
afterAll(() => {
  for (const folder of [workFolder, workingDirectory]) rmSync(folder, { recursive: true, force: true });
});

describe("links", () => {
  test.each(pages.map((page) => [page.name, page] as const))("of %s are not broken", (_name, page) => {
    expect(brokenLinks(page)).toEqual([]);
  });
});

describe("programs", () => {
  const compiled = compilePages([...pages, ...examplePages()], workFolder).map(
    (page) => [page.name, page] as const,
  );
  test.each(compiled)(
    "of %s compile and run",
    (_name, { errors, modules }) => {
      expect(errors).toEqual([]);
      for (const module of modules) {
        const { status, stderr } = spawnSync(process.execPath, [module], {
          cwd: workingDirectory,
          encoding: "utf8",
          timeout: 60_000,
          env: { ...process.env, NODE_OPTIONS: "--unhandled-rejections=strict" },
        });
        expect({ module: path.basename(module), status, stderr: status === 0 ? "" : stderr }).toEqual({
          module: path.basename(module),
          status: 0,
          stderr: "",
        });
      }
    },
    120_000,
  );
});
