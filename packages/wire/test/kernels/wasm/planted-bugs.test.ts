import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { compileAssembly } from "../../../assembly/build.mjs";
import type { EnginePool } from "../../../src/kernels/wasm/engine-pool.js";
import { wasmKernelsOf } from "../../../src/kernels/wasm/wasm-kernels.js";
import { CANARIES, CheckedPool } from "./checked-pool.js";
import { compareTwins } from "./compare-twins.js";
import { Draw } from "./draw.js";

/** One bug in a copy of the kernels' sources: text of a file, and what takes its place. */
interface PlantedBug {
  readonly about: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

const bugs: readonly PlantedBug[] = [
  {
    about: "packed floats need not be a multiple of four bytes long",
    file: "entry.as",
    right: "length % 4 == 0 ? p + length : fail(at)",
    wrong: "p + length",
  },
  {
    about: "the same on the short way",
    file: "record.as",
    right: "(end - value) % 4 == 0 ? appendFloats(column, value, end) : UNUSUAL",
    wrong: "appendFloats(column, value, end)",
  },
  {
    about: "a varint may have eleven bytes",
    file: "values.as",
    right: "size <= 10",
    wrong: "size <= 11",
  },
  {
    about: "the tenth byte of a varint is lost",
    file: "values.as",
    right: "size == 9 ? bits :",
    wrong: "size >= 9 ? bits :",
  },
  {
    about: "a bytes value may reach a byte too far",
    file: "values.as",
    right: "if (length + size > <u32>(end - p)) return UNUSUAL;",
    wrong: "if (length + size > <u32>(end - p) + 1) return UNUSUAL;",
  },
  {
    about: "a name counts as found when its first sixteen bytes are equal",
    file: "column.as",
    right: "return length <= 16 || isLongKey(column, key, length);",
    wrong: "return true;",
  },
  {
    about: "a repeated name adds its values",
    file: "record.as",
    right: "if (column.row > row) return UNUSUAL;",
    wrong: "if (column.row > row) column.row = row;",
  },
  {
    about: "lists of another kind stay when the kind changes",
    file: "entry.as",
    right: "if (kind != entryKind) firstList = p;",
    wrong: "if (entryKind == UNSET) firstList = p;",
  },
  {
    about: "surrogates are accepted in names",
    file: "scan.as",
    right: "lead == 0xed ? 0x9f :",
    wrong: "",
  },
  {
    about: "a group may be ended by any other",
    file: "scan.as",
    right: "return inner == tag + 1 ? p : fail(at);",
    wrong: "return p;",
  },
  {
    about: "groups may nest without end",
    file: "scan.as",
    right: "if (depth == 0) return fail(start);",
    wrong: "",
  },
  {
    about: "a tag of more than 32 bits is cut",
    file: "scan.as",
    right: "result >> 3 == 0 || (shift == 28 && byte > 15)",
    wrong: "result >> 3 == 0",
  },
  {
    about: "a skipped record leaves its columns",
    file: "index.as",
    right: "  truncate(numColumnsBefore);\n  for (",
    wrong: "  for (",
  },
  {
    about: "a skipped record leaves its values",
    file: "index.as",
    right: "    forget(changetype<Column>(address), row);\n",
    wrong: "    changetype<Column>(address);\n",
  },
  {
    about: "the first null of a column forgets that the rows before were present",
    file: "column.as",
    right: "  memory.fill(column.validity, 0xff, whole);\n",
    wrong: "  memory.fill(column.validity, 0, whole);\n",
  },
  {
    about: "a later entry does not take back one that does not fit",
    file: "record.as",
    right: "    column.misfitAt = 0;\n    numMisfits--;\n  }\n  if (column.role",
    wrong: "  }\n  if (column.role",
  },
  {
    about: "the upper half of a record's length is not looked at",
    file: "index.as",
    right: "load<u32>(p, 4) != 0 || ",
    wrong: "",
  },
  {
    about: "the checksum of a payload of some length is wrong",
    file: "crc32c.as",
    right: "  if (rest >= 8) {",
    wrong: "  if (rest > 8) {\n    crc ^= 1;",
  },
  {
    about: "an entry is taken for one like the last when their first bytes are the same",
    file: "head.as",
    right: "v128.and(v128.and(first, second), third)",
    wrong: "first",
  },
  {
    about: "an entry like the last may reach out of its message",
    file: "head.as",
    right: " & <u32>(column.entrySize <= <u32>(end - p))",
    wrong: "",
  },
  {
    about: "an entry like the last may hold another number of varints",
    file: "head.as",
    right: " | <u32>!isOne",
    wrong: "",
  },
  {
    about: "an entry like the last may come twice in a record",
    file: "head.as",
    right: "if (column.row != row) return false;",
    wrong: "if (column.row < row) return false;",
  },
  {
    about: "an entry like the last is taken though the column has lost its kind",
    file: "column.as",
    right: "  column.listTag = NO_TAG;\n  column.entrySize = NEVER;\n",
    wrong: "  column.listTag = NO_TAG;\n",
  },
  {
    about: "bitmaps do not grow with the rows",
    file: "column.as",
    right: "    memory.fill(column.validity + before, 0, size - before);\n",
    wrong: "",
  },
];

/** Bugs that write behind a block, and so into canaries. */
const overruns: readonly PlantedBug[] = [
  {
    about: "a column's numbers may be more than there is room for",
    file: "values.as",
    right: "if (index + count > column.valueCapacity &&",
    wrong: "if (index + count > column.valueCapacity + (column.valueCapacity > 0 ? 40 : 0) &&",
  },
  {
    about: "a column's bytes may be more than there is room for",
    file: "values.as",
    right: "if (used + length >= column.valueBytes &&",
    wrong: "if (used + length >= column.valueBytes + (column.valueBytes > 0 ? 200 : 0) &&",
  },
  {
    about: "so may those of entries like the last",
    file: "head.as",
    right: "(used + length >= column.valueBytes)",
    wrong: "(used + length >= column.valueBytes + (column.valueBytes > 0 ? 200 : 0))",
  },
  {
    about: "rows may be more than there is room for",
    file: "index.as",
    right: "row >= rowCapacity &&",
    wrong: "row >= rowCapacity + 64 &&",
  },
];

const source = path.join(import.meta.dirname, "../../../assembly");
const folder = mkdtempSync(path.join(tmpdir(), "tfxio-planted-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiling takes seconds each: `pnpm check` runs these with `TFXIO_PLANTED_BUGS=1`. */
const describeSlow = process.env["TFXIO_PLANTED_BUGS"] === undefined ? describe.skip : describe;
function compileWith(
  { file, right, wrong }: Omit<PlantedBug, "about">,
  options: readonly string[] = [],
): Buffer {
  const target = path.join(folder, file);
  const text = readFileSync(target, "utf8");
  expect(text).toContain(right);
  writeFileSync(target, text.replace(right, wrong));
  const wasm = compileAssembly({ source: folder, options });
  writeFileSync(target, text);
  return wasm;
}

/** What is found in as many records as a run of the test-suite compares; a trap counts too. */
function findingIn(pool: EnginePool): unknown {
  try {
    return compareTwins(wasmKernelsOf(pool), new Draw(1), 25_000).difference?.about;
  } catch (error) {
    return String(error);
  }
}

describeSlow("the differential test", () => {
  beforeAll(() => cpSync(source, folder, { recursive: true }));

  test("finds nothing in kernels without a planted bug", () => {
    const wasm = compileWith({ file: "index.as", right: "numRows", wrong: "numRows" });
    expect(findingIn(new CheckedPool(wasm, 4096))).toBeUndefined();
  }, 600_000);

  test.each(bugs)(
    "finds that $about",
    (bug) => {
      expect(findingIn(new CheckedPool(compileWith(bug), 4096))).toEqual(expect.any(String));
    },
    600_000,
  );

  test.each(overruns)(
    "and the canaries find that $about",
    (bug) => {
      const pool = new CheckedPool(compileWith(bug, CANARIES), 4096);
      findingIn(pool);
      expect(pool.numDamaged).toBeGreaterThan(0);
    },
    600_000,
  );
});
