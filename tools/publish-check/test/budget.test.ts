import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { budgetViolation, bundleSize } from "../src/bundle-size.js";
import { publishedPackages } from "../src/published-package.js";

const root = mkdtempSync(path.join(tmpdir(), "tfxio-budget-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function writePackage(name: string, manifest: object, source: string): void {
  mkdirSync(path.join(root, name));
  const whole = { name, type: "module", exports: { ".": "./index.js" }, ...manifest };
  writeFileSync(path.join(root, name, "package.json"), JSON.stringify(whole));
  writeFileSync(path.join(root, name, "index.js"), source);
}

beforeAll(() => {
  const text = Array.from({ length: 400 }, (_unused, index) => (index * 2654435761) % 4294967291).join();
  writePackage("big", { tfxio: { bundleBudget: 600 } }, `export const text = "${text}";\n`);
  writePackage("free", { peerDependencies: { peer: "1" } }, 'export { all } from "peer/part";\n');
  const late = { tfxio: { loadedLate: ["codec"] } };
  writePackage("lazy", late, 'export const load = () => import("codec/fast");\n');
  writePackage("hidden", { private: true }, "");
});

describe("the check of bundle budgets", () => {
  test("skips private packages, and excludes all peers, as well as dependencies that are imported on demand", async () => {
    const packages = publishedPackages(root);
    expect(packages.map(({ name }) => name)).toEqual(["big", "free", "lazy"]);
    const [, free, lazy] = packages;
    if (free === undefined || lazy === undefined) throw new TypeError("no package");
    expect(await bundleSize(free, [])).toBeLessThan(100);
    expect(await bundleSize(lazy, [])).toBeLessThan(100);
  });

  test("reports a bundle that is too large, and a package without a budget", async () => {
    const [big, free] = publishedPackages(root);
    if (big === undefined || free === undefined) throw new TypeError("no package");
    const bytes = await bundleSize(big, []);
    expect(bytes).toBeGreaterThan(600);
    expect(budgetViolation(big, bytes)).toBe(
      `big: the gzipped main entry must have at most 600 bytes, found ${bytes}`,
    );
    expect(budgetViolation(big, 600)).toBeUndefined();
    expect(budgetViolation(free, 10)).toContain("no budget");
  });
});
