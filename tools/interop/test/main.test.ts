import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { cacheFolder } from "../src/cache-folder.js";
import { type Interop, type InteropContext, Unavailable } from "../src/interop.js";
import { main } from "../src/main.js";
import { prepare } from "../src/run-command.js";

const cache = mkdtempSync(path.join(tmpdir(), "tfxio-interop-test-"));
afterAll(() => rmSync(cache, { recursive: true }));

const interop = (name: string, run: (context: InteropContext) => Promise<void>): Interop => ({
  name,
  about: `about ${name}`,
  run,
});

async function interopRun(
  args: readonly string[],
  interops: readonly Interop[],
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const code = await main(args, { XDG_CACHE_HOME: cache }, (line) => lines.push(line), interops);
  return { code, lines };
}

const good = interop("good", async ({ report }) => {
  await report.check("one", () => {});
  await report.check("two", async () => {
    throw new Unavailable("no\n  such file");
  });
});
const bad = interop("bad", async ({ report }) => {
  await report.check("three", () => {
    throw new RangeError("off by one");
  });
  report.passed("four");
});
const absent = interop("absent", async () => {
  throw new Unavailable("PyPI cannot be reached");
});

describe("pnpm interop", () => {
  test("runs every check, prints a line per finding, and ends with the counts", async () => {
    expect(await interopRun([], [good, bad, absent])).toEqual({
      code: 1,
      lines: [
        "good: about good",
        "ok    one",
        "skip  two: no such file",
        "bad: about bad",
        "FAIL  three: RangeError: off by one",
        "ok    four",
        "absent: about absent",
        "skip  absent: PyPI cannot be reached",
        "2 passed, 1 failed, 2 skipped",
      ],
    });
  });

  test("exits with status 0 if software is missing", async () => {
    const { code, lines } = await interopRun(["absent"], [good, bad, absent]);
    expect(code).toBe(0);
    expect(lines.at(-1)).toBe("0 passed, 0 failed, 1 skipped");
  });

  test("continues with the next group of checks if one throws", async () => {
    const broken = interop("broken", async () => {
      throw new TypeError("our own mistake");
    });
    const { code, lines } = await interopRun([], [broken, good]);
    expect(code).toBe(1);
    expect(lines[1]).toMatch(/^FAIL {2}broken: TypeError: our own mistake/);
    expect(lines.at(-1)).toBe("1 passed, 1 failed, 1 skipped");
  });

  test("rejects unknown names and options", async () => {
    const unknown = await interopRun(["god"], [good, bad]);
    expect(unknown).toEqual({ code: 2, lines: ['interop: unknown name "god"; the names are good, bad'] });
    expect((await interopRun(["--pyton", "x"], [good])).code).toBe(2);
  });

  test("lists the names for --help", async () => {
    const { code, lines } = await interopRun(["--help"], [good, bad]);
    expect(code).toBe(0);
    expect(lines.slice(1)).toEqual(["  good          about good", "  bad           about bad"]);
  });

  test("resolves the path of a Python from the caller's directory", async () => {
    let python: string | undefined;
    const look = interop("look", async (context) => {
      python = context.python;
    });
    await interopRun(["--python", "venv/bin/python"], [look]);
    expect(python).toBe(path.resolve("venv/bin/python"));
    await interopRun(["--python", "python3.11"], [look]);
    expect(python).toBe("python3.11");
  });
});

test("the cache is in the system's cache folder, or in XDG_CACHE_HOME", () => {
  expect(cacheFolder({ HOME: "/home/a" }, "linux")).toBe("/home/a/.cache/tfxio-interop");
  expect(cacheFolder({ HOME: "/home/a", XDG_CACHE_HOME: "/big" }, "linux")).toBe("/big/tfxio-interop");
  // The XDG specification does not allow a relative path.
  expect(cacheFolder({ HOME: "/home/a", XDG_CACHE_HOME: "big" }, "linux")).toBe(
    "/home/a/.cache/tfxio-interop",
  );
  expect(cacheFolder({ HOME: "/Users/a" }, "darwin")).toBe("/Users/a/Library/Caches/tfxio-interop");
});

describe("prepare", () => {
  test("resolves to the output of the command", async () => {
    expect(await prepare(process.execPath, ["-p", "6 * 7"])).toBe("42\n");
  });

  test("throws Unavailable, with a reason, if the program is missing or fails", async () => {
    await expect(prepare("no-such-program-here", [])).rejects.toMatchObject({ name: "Unavailable" });
    const failing = prepare(process.execPath, ["-e", "console.error('no network'); process.exit(3)"]);
    await expect(failing).rejects.toThrow(/exited with code 3: no network/);
    const telling = "console.error('npm error code ECONNREFUSED\\nlog in /tmp'); process.exit(1)";
    await expect(prepare(process.execPath, ["-e", telling])).rejects.toThrow(
      /exited with code 1: npm error code ECONNREFUSED$/,
    );
  });
});
