import { afterEach, describe, expect, test } from "@jest/globals";
import { WorkspaceCopy } from "./workspace-copy.js";

let copy: WorkspaceCopy | undefined;
afterEach(() => copy?.remove());

interface DryRun {
  readonly tasks: readonly { readonly taskId: string; readonly hash: string }[];
}

describe("breaking a package on a low layer", () => {
  test("changes the cache key of the tests of every package", () => {
    copy = WorkspaceCopy.ofRepository();
    const root = copy;
    const keys = (): Map<string, string> => {
      const { output } = root.turbo("run", "test", "--dry=json");
      const { tasks } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as DryRun;
      return new Map(
        tasks.filter(({ taskId }) => taskId.endsWith("#test")).map(({ taskId, hash }) => [taskId, hash]),
      );
    };
    const before = keys();
    expect(before.size).toBeGreaterThanOrEqual(9);
    expect(keys()).toEqual(before);
    copy.append("packages/wire/src/errors.ts", "throw 1;\n");
    for (const [taskId, hash] of keys()) expect([taskId, hash]).not.toEqual([taskId, before.get(taskId)]);
  });

  test("makes the tests of a dependent package fail instead of replaying a cached pass", () => {
    copy = new WorkspaceCopy();
    copy.write("package.json", '{ "name": "root", "private": true, "packageManager": "pnpm@12.21.0" }');
    copy.write(
      "pnpm-workspace.yaml",
      'packages: ["packages/*"]\npmOnFail: ignore\nverifyDepsBeforeRun: false\n',
    );
    copy.write(
      "packages/low/package.json",
      '{ "name": "low", "version": "1.0.0", "scripts": { "build": "node -e 0" } }',
    );
    copy.write("packages/low/src/index.mjs", "export const answer = 42;\n");
    copy.write(
      "packages/high/package.json",
      JSON.stringify({
        name: "high",
        version: "1.0.0",
        dependencies: { low: "workspace:*" },
        scripts: { build: "node -e 0", test: "node test/answer.mjs" },
      }),
    );
    copy.write(
      "packages/high/test/answer.mjs",
      'import { answer } from "../../low/src/index.mjs";\nif (answer !== 42) process.exit(3);\n',
    );
    const run = () => copy?.turbo("run", "test", "--filter=high");
    expect(run()).toMatchObject({ status: 0 });
    expect(run()?.output).toContain("FULL TURBO");
    copy.write("packages/low/src/index.mjs", "export const answer = 41;\n");
    const broken = run();
    expect(broken?.status).not.toBe(0);
    expect(broken?.output).toContain("high#test");
  });
});
