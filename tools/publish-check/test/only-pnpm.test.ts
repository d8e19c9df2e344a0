import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";

const root = path.join(import.meta.dirname, "..", "..", "..");

function packedBy(command: string): { readonly status: number | null; readonly output: string } {
  // Removes the variables that a package manager sets when it runs this test.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));
  const { status, stdout, stderr } = spawnSync(command, ["pack", "--dry-run"], {
    cwd: path.join(root, "packages", "tfxio"),
    encoding: "utf8",
    env: { ...env, PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${env["PATH"] ?? ""}` },
  });
  return { status, output: `${stdout}${stderr}` };
}

test("packing with npm fails, because npm would leave workspace:* in the manifest", () => {
  const { status, output } = packedBy("npm");
  expect(output).toContain("Pack and publish with pnpm");
  expect(status).not.toBe(0);
});

test("packing with pnpm succeeds", () => {
  expect(packedBy("pnpm").status).toBe(0);
});

test.each(readdirSync(path.join(root, "packages")))("packages/%s checks for pnpm before packing", (name) => {
  const manifest = JSON.parse(readFileSync(path.join(root, "packages", name, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(manifest.scripts["prepack"]).toBe("node ../../tools/publish-check/only-pnpm.mjs");
});
