import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "@jest/globals";

// Runs Node on the built packages, as users do. The tests that need them are skipped before the first build.
const packages = fileURLToPath(new URL("../../..", import.meta.url));
const built = ["wire", "schema", "arrow-encoding", "tensor-adapter"];
const isBuilt = built.every((name) => existsSync(path.join(packages, name, "dist", "index.js")));
const ifBuilt =
  isBuilt && existsSync(path.join(packages, "tensor-adapter/dist/webgpu/index.js")) ? test : test.skip;

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-backends-"));
afterAll(() => rmSync(folder, { recursive: true }));

function outputOf(script: string, cwd: string): unknown {
  const file = path.join(cwd, "script.mjs");
  writeFileSync(file, script);
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Installs the built packages and the dependencies that the tests need, except those in `without`. */
function install(name: string, without: readonly string[] = []): string {
  const modules = path.join(folder, name, "node_modules");
  mkdirSync(path.join(modules, "@tfxio"), { recursive: true });
  for (const each of built) {
    const target = path.join(modules, "@tfxio", each);
    mkdirSync(target);
    cpSync(path.join(packages, each, "package.json"), path.join(target, "package.json"));
    cpSync(path.join(packages, each, "dist"), path.join(target, "dist"), { recursive: true });
  }
  const link = (specifier: string, owner: string): void => {
    const from = path.join(packages, owner, "node_modules", specifier);
    mkdirSync(path.dirname(path.join(modules, specifier)), { recursive: true });
    if (existsSync(from) && !without.includes(specifier)) symlinkSync(from, path.join(modules, specifier));
  };
  link("apache-arrow", "tensor-adapter");
  link("@tensorflow/tfjs-core", "tensor-adapter");
  link("@bufbuild/protobuf", "schema");
  link("tinyglobby", "wire");
  return path.join(folder, name);
}

ifBuilt("importing the package and its subpaths loads no part of TensorFlow.js", () => {
  const script = `
    import { createRequire } from "node:module";
    await import("@tfxio/tensor-adapter");
    await import("@tfxio/tensor-adapter/backends");
    await import("@tfxio/tensor-adapter/webgpu");
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(JSON.stringify({
      engine: "_tfengine" in globalThis,
      loaded: loaded.filter((file) => /tensorflow|webgpu/.test(file)),
    }));`;
  expect(outputOf(script, install("imports"))).toEqual({ engine: false, loaded: [] });
});

ifBuilt("without backend packages, loadBackend fails and explainBackends reports what is missing", () => {
  const script = `
    import { explainBackends, loadBackend } from "@tfxio/tensor-adapter/backends";
    const error = await loadBackend().catch((thrown) => thrown);
    const { attempts } = await explainBackends();
    console.log(JSON.stringify([error.code, error.reason, ...attempts.map(({ reason }) => reason)]));`;
  const misses = Array<string>(5).fill("not-installed");
  expect(outputOf(script, install("bare"))).toEqual(["unsupported", "no-backend", ...misses]);
});

ifBuilt("without TensorFlow.js, loadBackend reports that @tensorflow/tfjs-core is not installed", () => {
  const script = `
    import { loadBackend } from "@tfxio/tensor-adapter/backends";
    console.log(JSON.stringify((await loadBackend().catch((thrown) => thrown)).message));`;
  expect(outputOf(script, install("no-tfjs", ["@tensorflow/tfjs-core"]))).toBe(
    "[unsupported] TensorFlow.js (@tensorflow/tfjs-core) cannot be used: not installed (npm install @tensorflow/tfjs-core).",
  );
});

test("apache-arrow is the only required peer dependency", () => {
  const manifest = createRequire(import.meta.url)("../../package.json") as {
    readonly peerDependencies: Readonly<Record<string, string>>;
    readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  };
  const required = Object.keys(manifest.peerDependencies).filter(
    (name) => manifest.peerDependenciesMeta[name]?.optional !== true,
  );
  expect(required).toEqual(["apache-arrow"]);
});
