import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";

/** Bugs to plant in a copy of the sources: the existing text, and its wrong replacement. */
const bugs: readonly { file: string; about: string; right: string; wrong: string }[] = [
  {
    file: "row-groups/page-header.ts",
    about: "a page header that is not Thrift causes an error that is not a TfxioError",
    right: 'throw damaged("does not begin with a page header", cause);',
    wrong: "throw cause;",
  },
  {
    file: "row-groups/page-header.ts",
    about: "a page may be longer than its chunk",
    right: "whole < 0 || stored > numBytesLeft",
    wrong: "whole < 0",
  },
  {
    file: "row-groups/page-header.ts",
    about: "a page may declare a negative length",
    right: "stored < 0 || whole < 0 || stored",
    wrong: "stored",
  },
  {
    file: "pruning/page-index.ts",
    about: "a page index that is not Thrift causes an error that is not a TfxioError",
    right: 'throw damagedIndex(uri, byteOffset, "is not Thrift", cause);',
    wrong: "throw cause;",
  },
  {
    file: "footer/file-footer.ts",
    about: "a footer that is not Thrift causes an error that is not a TfxioError",
    right: 'throw damagedFooter(uri, "has a footer that is not Thrift", cause);',
    wrong: "throw cause;",
  },
  {
    file: "footer/file-footer.ts",
    about: "a footer may lack a schema",
    right: "if (elements === undefined) throw",
    wrong: "if (false) throw",
  },
  {
    file: "footer/file-footer.ts",
    about: "a column may lack its metadata",
    right: "if (struct === undefined || metadata === undefined) {",
    wrong: "if (struct === undefined) {",
  },
  {
    file: "pruning/bloom-filter.ts",
    about: "a bloom filter may have a length that is not a whole number of blocks",
    right: "numBytes < BLOCK_BYTES || numBytes % BLOCK_BYTES !== 0 || ",
    wrong: "",
  },
];

/** Time limit of one run, in milliseconds. A run on the unchanged sources takes 20 seconds. */
const MAX_MS = 120_000;

// Each bug takes up to two minutes, so these tests run only in `pnpm check`.
const isAsked = process.env["TFXIO_PLANTED_BUGS"] === "1";

(isAsked ? describe : describe.skip)("the fuzz test of Parquet files finds", () => {
  const here = path.join(import.meta.dirname, "..");
  const repository = path.join(here, "../..");
  let folder: string;
  beforeAll(() => {
    // The copy is inside the package, so that its dependencies resolve. Git ignores it.
    folder = mkdtempSync(path.join(here, ".cache-planted-"));
    const files = [
      "package.json",
      "src",
      "test/fixtures",
      "test/fuzz.test.ts",
      "test/probe.ts",
      "test/read-parquet.ts",
    ];
    for (const file of files) cpSync(path.join(here, file), path.join(folder, file), { recursive: true });
    // The package's Jest settings, for the copy.
    const settings = `
      import all from ${JSON.stringify(path.join(repository, "jest.config.mjs"))};
      const own = all.projects.find(({ displayName }) => displayName === "formats-parquet");
      export default { ...own, rootDir: import.meta.dirname, testTimeout: all.testTimeout };`;
    writeFileSync(path.join(folder, "jest.config.mjs"), settings);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns true if the fuzz test passes on the copy. A run that exceeds the time limit counts as failed. */
  const passes = (): boolean => {
    const jest = path.join(repository, "node_modules/jest/bin/jest.js");
    const config = path.join(folder, "jest.config.mjs");
    const { stderr, signal } = spawnSync(
      process.execPath,
      ["--experimental-vm-modules", jest, "--config", config, "--runInBand", "--bail"],
      {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, TFXIO_FUZZ_RECORDS: "200000" },
        timeout: MAX_MS,
        killSignal: "SIGKILL",
      },
    );
    if (signal !== null) return false;
    // If Jest fails to start, that must not count as a detected bug.
    expect(stderr).toMatch(/^Tests:/m);
    return !/^Tests:.*failed/m.test(stderr);
  };

  test("nothing in the unchanged sources", () => {
    expect(passes()).toBe(true);
  }, 150_000);

  test.each(bugs)(
    "a bug in $file: $about",
    ({ file, right, wrong }) => {
      const text = readFileSync(path.join(here, "src", file), "utf8");
      expect(text.split(right)).toHaveLength(2);
      const copy = path.join(folder, "src", file);
      writeFileSync(copy, text.replace(right, wrong));
      try {
        expect(passes()).toBe(false);
      } finally {
        writeFileSync(copy, text);
      }
    },
    150_000,
  );
});
