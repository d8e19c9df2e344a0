import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ArrayInstance } from "../../../src/kernels/arrays/wasm/array-instance.js";
import { arrayKernelsOf } from "../../../src/kernels/arrays/wasm/wasm-array-kernels.js";
import { compileWasm } from "../../../src/kernels/wasm/web-assembly.js";
import { Draw } from "../wasm/draw.js";
import { compileAssembly } from "../compile-assembly.js";
import { arrayChecks } from "./array-checks.js";

/** Bugs to plant in a copy of the sources: text that must occur once, and its replacement. */
const bugs: readonly { about: string; right: string; wrong: string }[] = [
  {
    about: "a row that continues in the next window restarts at position 0",
    right: "const position = at - load<u32>(pair);",
    wrong: "const position: u32 = 0;",
  },
  {
    about: "row numbers count from the start of a piece",
    right: "let index = i64x2(base + r,",
    wrong: "let index = i64x2(r,",
  },
  {
    about: "a row is shifted if the number of values in the previous row is not a multiple of eight",
    right: "i32x4(0, 8, 0, 8));\n    }\n    target = targetEnd;\n",
    wrong: "i32x4(0, 8, 0, 8));\n    }\n",
  },
  {
    about: "values truncated from a row appear in the next row",
    right: "source += (<usize>(next - start)) << shift;",
    wrong: "source += (<usize>min(next - start, width)) << shift;",
  },
  {
    about: "the last values of a short row are not filled",
    right: "at < target; at += 64",
    wrong: "at + 16 <= target; at += 64",
  },
  {
    about: "the fill value fills only half of the last vector of a block",
    right: "      v128.store(at, fill, 48);\n",
    wrong: "      v128.store64_lane(at, fill, 0, 48);\n",
  },
  {
    about: "a range may extend beyond the window",
    right: "if (numBytes > limit - target) break;",
    wrong: "if (numBytes > limit - target + 64) break;",
  },
  {
    about: "copies omit the last vector of a block",
    right: "    v128.store(at, v128.load(from, 48), 48);\n",
    wrong: "",
  },
  {
    about: "the last byte of an eight-byte varint has a continuation bit",
    right: "if (size <= 8) {",
    wrong: "if (size < 8) {",
  },
  { about: "the tenth byte of a varint is lost", right: "| ((top >> 7) << 8)", wrong: "" },
  {
    about: "a mask of the varint kernel lacks a bit",
    right: "0x0fff_c000_0fff_c000",
    wrong: "0x0fff_c000_0fff_8000",
  },
  {
    about: "row ends count from the start of the window",
    right: "base + <u32>(target - out)",
    wrong: "<u32>(target - out)",
  },
  {
    about: "the end of an empty row at the start of a window is not stored",
    right: "if (end == rowEnd) {\n      r++;\n      store",
    wrong: "if (end == rowEnd) {\n      r++;\n      if (end != from) store",
  },
];

// Each bug takes two seconds, so only `pnpm check` runs these tests.
const isAsked = process.env["TFXIO_PLANTED_BUGS"] === "1";

(isAsked ? describe : describe.skip)("the checks of the array kernels", () => {
  let folder: string;
  const source = path.join(import.meta.dirname, "../../../assembly-arrays");
  const original = readFileSync(path.join(source, "index.as"), "utf8");

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "tfxio-array-bugs-"));
    cpSync(source, folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the first difference or trap in 60 cases for each kernel, or null. */
  const found = (text: string): string | null => {
    writeFileSync(path.join(folder, "index.as"), text);
    const wasm = compileAssembly(folder);
    const kernels = arrayKernelsOf(new ArrayInstance(compileWasm(wasm.toString("base64"))));
    const draw = new Draw(5);
    for (let i = 0; i < 60; i++) {
      for (const { difference } of arrayChecks) {
        try {
          const what = difference(kernels, draw);
          if (what !== null) return what;
        } catch (error) {
          return String(error);
        }
      }
    }
    return null;
  };

  test("find no bug in the unchanged sources", () => {
    expect(found(original)).toBeNull();
  }, 120_000);

  test.each(bugs)(
    "find a planted bug: $about",
    ({ right, wrong }) => {
      expect(original.split(right).length).toBe(2);
      expect(found(original.replace(right, wrong))).not.toBeNull();
    },
    120_000,
  );
});
