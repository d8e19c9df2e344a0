import type { Reporter } from "./interop.js";
import { createReporter, type Finding } from "./reporter.js";
import { endOf, runCommand } from "./run-command.js";

// Start of the lines with findings. Native libraries print other lines to the same output.
const mark = "interop-finding ";

/**
 * Runs checks in a separate process, because native code may crash, or may read its environment only at startup. If the child
 * does not exit with code 0, or reports no findings, an additional failure is reported.
 */
export async function runInChild(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  report: Reporter,
  node: string = process.execPath,
): Promise<void> {
  const env = { ...environment, TF_CPP_MIN_LOG_LEVEL: "3" };
  const { exitCode, stdout, stderr } = await runCommand(node, [script, ...args], { env });
  const findings = stdout.split("\n").filter((line) => line.startsWith(mark));
  for (const line of findings) {
    const { status, what, why } = JSON.parse(line.slice(mark.length)) as Finding;
    report[status](what, why);
  }
  if (exitCode === 0 && findings.length > 0) return;
  const last = stderr.trim().split("\n").slice(-3).join(" ");
  const end = `${endOf(exitCode)}${findings.length === 0 ? " without findings" : ""}`;
  report.failed("the process that runs the checks", `${end}: ${last}`);
}

/** Returns the reporter for a child process that {@link runInChild} started. It discards notes. */
export function childReporter(): Reporter {
  return createReporter(
    (finding) => console.log(`${mark}${JSON.stringify(finding)}`),
    () => {},
  );
}
