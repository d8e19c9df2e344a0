import { spawnSync } from "node:child_process";

/**
 * One program that a command runs.
 * @typedef {object} Step
 * @property {string} title
 * @property {string[]} command
 * @property {Record<string, string>} [env] Environment variables for this step only.
 * @property {boolean} [quiet] Prints no title. Unless it is the last step, its output goes to stderr, so stdout contains only
 *   the command's result.
 * @property {boolean} [counts] The step ends with a line `N passed, N failed, N skipped`. If the plan fails
 *   before that, `runSteps` prints such a line.
 */

/**
 * Runs steps until one fails, and returns the exit code for the process.
 * @param {readonly Step[]} steps
 * @param {{ userArguments: readonly string[], cwd: string, env: NodeJS.ProcessEnv }} options `userArguments` go to
 *   the last step.
 * @returns {number}
 */
export function runSteps(steps, { userArguments, cwd, env }) {
  const plansToCount = steps.some(({ counts }) => counts);
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const [program = "", ...rest] = [...step.command, ...(isLast ? userArguments : [])];
    if (!step.quiet) console.error(`\n▸ ${step.title}`);
    const result = spawnSync(program, rest, {
      cwd,
      env: { ...env, ...step.env },
      stdio: step.quiet && !isLast ? ["ignore", 2, 2] : "inherit",
      shell: process.platform === "win32",
    });
    if (result.status === 0) continue;
    if (result.error) console.error(`cannot run ${program}: ${result.error.message}`);
    if (result.signal) console.error(`${program} was killed by ${result.signal}`);
    console.error(`✗ ${step.title}`);
    // A counting step that was not killed has already printed its counts.
    if (plansToCount && !(step.counts && result.status !== null))
      console.log("0 passed, 1 failed, 0 skipped");
    return result.status || 1;
  }
  return 0;
}
