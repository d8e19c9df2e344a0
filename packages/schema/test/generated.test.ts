import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";

const root = path.join(import.meta.dirname, "../../..");
const folders = ["packages/schema/src/generated", "packages/arrow-encoding/src/generated"];

function filesUnder(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [path.relative(folder, file), readFileSync(file, "utf8")]),
  );
}

describe("generated code", () => {
  test("is what `pnpm generate` writes today, byte for byte", () => {
    const fresh = mkdtempSync(path.join(tmpdir(), "tfxio-generated-"));
    try {
      const bin = path.join(root, "node_modules/.bin");
      const { status, stderr } = spawnSync(path.join(bin, "buf"), ["generate", "--output", fresh], {
        cwd: root,
        encoding: "utf8",
        env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` },
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      for (const folder of folders) {
        expect(filesUnder(path.join(root, folder))).toEqual(filesUnder(path.join(fresh, folder)));
      }
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }, 60_000);
});
