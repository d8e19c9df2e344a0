import { spawnSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "@jest/globals";

interface FakeStep {
  readonly code?: string;
  readonly program?: string;
  readonly quiet?: boolean;
  readonly counts?: boolean;
}

const module = pathToFileURL(path.join(import.meta.dirname, "..", "run-steps.mjs")).href;

/** Runs steps that are small Node programs. Returns the exit status and the output. */
function run(fakes: readonly FakeStep[], userArguments: readonly string[] = []) {
  const steps = fakes.map(({ code = "", program = process.execPath, ...rest }, index) => ({
    title: `step ${index}`,
    command: [program, "-e", code],
    ...rest,
  }));
  const script = `
    import { runSteps } from ${JSON.stringify(module)};
    const options = { userArguments: ${JSON.stringify(userArguments)}, cwd: process.cwd(), env: process.env };
    process.exitCode = runSteps(${JSON.stringify(steps)}, options);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("runSteps", () => {
  test("succeeds if every step succeeds, and gives the user's arguments to the last step", () => {
    const { status, stdout } = run(
      [{ code: "console.log('one')" }, { code: "console.log(process.argv.slice(1).join())" }],
      ["a", "b"],
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: "one\na,b\n" });
  });

  test("stops at the first failing step, and returns its exit code", () => {
    const { status, stdout, stderr } = run([{ code: "process.exit(3)" }, { code: "console.log('never')" }]);
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toContain("✗ step 0");
  });

  test("fails if a program is missing, or if a signal ends the program", () => {
    expect(run([{ program: "tfxio-no-such-program" }]).status).toBe(1);
    expect(run([{ code: "process.kill(process.pid, 'SIGKILL')" }]).status).toBe(1);
  });

  test("prints a count for a counting step even if the plan fails before that step prints one", () => {
    const counting = { code: "console.log('5 passed, 0 failed, 0 skipped')", counts: true };
    expect(run([{}, counting]).stdout).toBe("5 passed, 0 failed, 0 skipped\n");
    expect(run([{ code: "process.exit(1)" }, counting]).stdout).toBe("0 passed, 1 failed, 0 skipped\n");
    expect(run([{}, { code: "process.kill(process.pid, 'SIGKILL')", counts: true }]).stdout).toBe(
      "0 passed, 1 failed, 0 skipped\n",
    );
    expect(
      run([{}, { code: "console.log('4 passed, 1 failed, 0 skipped'); process.exit(1)", counts: true }]),
    ).toMatchObject({
      status: 1,
      stdout: "4 passed, 1 failed, 0 skipped\n",
    });
  });

  test("sends the output of quiet steps to stderr, except for the last step", () => {
    const { stdout, stderr } = run([
      { code: "console.log('building')", quiet: true },
      { code: "console.log('result')", quiet: true },
    ]);
    expect({ stdout, stderr }).toEqual({ stdout: "result\n", stderr: "building\n" });
  });
});
