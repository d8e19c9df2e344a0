import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { fuzz, plans, slow } from "../plans.mjs";

const repository = path.join(import.meta.dirname, "..", "..", "..");

/** The test files of the packages, relative to the repository. */
const testFiles = readdirSync(path.join(repository, "packages")).flatMap((name) =>
  readdirSync(path.join(repository, "packages", name, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => path.posix.join("packages", name, "test", file.replaceAll(path.sep, "/"))),
);

describe("pnpm check", () => {
  const commands = plans["check"]!.map(({ command, env }) => ({ command, env }));

  test("runs every randomized test with more cases than pnpm test does", () => {
    const drawing = testFiles.filter((file) =>
      readFileSync(path.join(repository, file), "utf8").includes('process.env["TFXIO_FUZZ_'),
    );
    expect(drawing.sort()).toEqual([...fuzz].sort());
    expect(commands).toContainEqual({
      command: expect.arrayContaining([...fuzz]),
      env: { TFXIO_FUZZ_RECORDS: "100000", TFXIO_FUZZ_ARRAYS: "20" },
    });
  });

  test.each(slow)("runs what pnpm test omits: $title", ({ files }) => {
    expect(existsSync(path.join(repository, files))).toBe(true);
    expect(plans["test"]!.at(-1)?.command).toContain(files);
    expect(commands).toContainEqual({ command: expect.arrayContaining(["--testPathPatterns", files]) });
  });
});
