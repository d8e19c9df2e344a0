// The commands of the root package.json, each a list of steps that run one after another.
// `node tools/gate/run.mjs NAME [ARGUMENTS…]`: the arguments go to the last step.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..", "..");
const jest = ["node", "--experimental-vm-modules", "--disable-warning=ExperimentalWarning", "node_modules/jest/bin/jest.js"];
const build = ["turbo", "run", "build", "--output-logs=errors-only", "--log-order=stream"];

/** @type {Record<string, { title: string, command: string[], quiet?: boolean }[]>} */
const plans = {
  test: [
    { title: "build: types of every package", command: build },
    { title: "layers: turbo boundaries", command: ["turbo", "boundaries"] },
    { title: "graph: what turbo does not see", command: ["node", "tools/check-graph/dist/cli.js"] },
    { title: "types of tests, tools and examples", command: ["tsc", "-p", "tsconfig.test.json"] },
    { title: "jest: every project in one run", command: jest },
  ],
  check: [
    { title: "build", command: build },
    { title: "format", command: ["biome", "format", "."] },
    { title: "lint, type-aware", command: ["oxlint", "--type-aware", "--deny-warnings"] },
    { title: "protos", command: ["buf", "lint"] },
    { title: "unused files, exports, dependencies", command: ["knip"] },
    { title: "packages as published, and bundle budgets", command: ["node", "tools/publish-check/dist/cli.js"] },
  ],
  quickstart: [
    { title: "build", command: build, quiet: true },
    { title: "quickstart", command: ["node", "tools/quickstart/dist/cli.js"], quiet: true },
  ],
  conformance: [
    { title: "build", command: build, quiet: true },
    { title: "conformance", command: ["node", "tools/conformance/dist/cli.js"], quiet: true },
  ],
  bench: [
    { title: "build", command: build, quiet: true },
    { title: "bench", command: ["node", "tools/bench/dist/cli.js"], quiet: true },
  ],
  interop: [
    { title: "build", command: build, quiet: true },
    { title: "interop", command: ["node", "tools/interop/dist/cli.js"], quiet: true },
  ],
  generate: [
    { title: "protobuf code", command: ["buf", "generate"] },
  ],
};

const [name = "", ...userArguments] = process.argv.slice(2);
const plan = plans[name];
if (plan === undefined) {
  console.error(`unknown command "${name}"; one of: ${Object.keys(plans).join(", ")}`);
  process.exit(2);
}

const environment = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: "1",
  TFXIO_INVOKED_FROM: process.env.INIT_CWD ?? process.cwd(),
  PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${process.env.PATH ?? ""}`,
};

for (const [index, step] of plan.entries()) {
  const isLast = index === plan.length - 1;
  const [program = "", ...rest] = [...step.command, ...(isLast ? userArguments : [])];
  if (!step.quiet) console.error(`\n▸ ${step.title}`);
  const result = spawnSync(program, rest, {
    cwd: root,
    env: environment,
    // A quiet build speaks on stderr only, so that stdout holds the command's result alone.
    stdio: step.quiet && !isLast ? ["ignore", 2, 2] : "inherit",
    shell: process.platform === "win32" && existsSync(path.join(root, "node_modules", ".bin", `${program}.cmd`)),
  });
  if (result.error) console.error(`cannot run ${program}: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}
