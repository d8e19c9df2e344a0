import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const root = import.meta.dirname;
const folders = ["packages", "tools"].flatMap((group) =>
  readdirSync(path.join(root, group)).map((name) => path.join(root, group, name)),
);

/** One project for every folder that has tests; all share these settings. */
export default {
  maxWorkers: 2,
  // Some tests start compilers, browsers or turbo, and machines may be busy.
  testTimeout: 60_000,
  coverageProvider: "v8",
  reporters: ["default", "<rootDir>/tools/gate/count-reporter.mjs"],
  // At the end, jest waits 500 ms for each worker to exit. A worker that has run many suites needs longer to free its memory, so
  // jest restarts workers that exceed this limit.
  workerIdleMemoryLimit: "1GB",
  projects: folders
    .filter((folder) => existsSync(path.join(folder, "test")))
    .map((rootDir) => ({
      displayName: path.basename(rootDir),
      rootDir,
      testEnvironment: "node",
      testEnvironmentOptions: { customExportConditions: ["@tfxio/source", "node", "node-addons"] },
      extensionsToTreatAsEsm: [".ts"],
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
      transform: {
        "^.+\\.ts$": [
          "@swc/jest",
          {
            sourceMaps: "inline",
            jsc: { parser: { syntax: "typescript" }, target: "es2022" },
            module: { type: "es6" },
          },
        ],
      },
    })),
};
