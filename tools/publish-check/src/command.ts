import path from "node:path";
import { run } from "./run.js";

const root = path.join(import.meta.dirname, "..", "..", "..");

/** Runs the tests of the `tfxio` command against the one that npm installed in `folder`. Returns a violation if a test fails. */
export function commandViolations(folder: string): string[] {
  const command = path.join(folder, "node_modules", ".bin", "tfxio");
  const argv = [
    "--experimental-vm-modules",
    "--disable-warning=ExperimentalWarning",
    "node_modules/jest/bin/jest.js",
  ];
  const selection = ["--testPathPatterns", "packages/tfxio/test/cli/", "--config", "jest.config.mjs"];
  const { status, output } = run(process.execPath, [...argv, ...selection], root, { TFXIO_COMMAND: command });
  return status === 0 ? [] : [`the installed command fails its tests:\n${output}`];
}
