// `node tools/gate/run.mjs NAME [ARGUMENTS…]`: runs a command of the root package.json, as plans.mjs defines it.
import path from "node:path";
import { plans } from "./plans.mjs";
import { runSteps } from "./run-steps.mjs";

const root = path.join(import.meta.dirname, "..", "..");
const [name = "", ...userArguments] = process.argv.slice(2);
const steps = Object.hasOwn(plans, name) ? plans[name] : undefined;
if (steps === undefined) {
  console.error(`unknown command "${name}", expected one of ${Object.keys(plans).join(", ")}`);
  process.exit(2);
}

process.exitCode = runSteps(steps, {
  userArguments,
  cwd: root,
  env: {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: "1",
    TFXIO_INVOKED_FROM: process.env.INIT_CWD ?? process.cwd(),
    PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${process.env.PATH ?? ""}`,
  },
});
