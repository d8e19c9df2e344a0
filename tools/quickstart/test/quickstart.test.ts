import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";

const root = path.resolve(import.meta.dirname, "../../..");
const data = path.resolve(root, "../shared/data");
const testWithData = existsSync(data) ? test : test.skip;

function quickstart(...args: string[]): {
  status: number | null;
  stdout: string;
  stderr: string;
  lines: string[];
} {
  const cli = path.join(root, "tools/quickstart/dist/cli.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    env: { ...process.env, TFXIO_INVOKED_FROM: root },
  });
  return { status, stdout, stderr, lines: stdout.trimEnd().split("\n") };
}

const accuracyOf = ({ lines }: { lines: string[] }): number =>
  Number(/^accuracy (\d\.\d\d)$/.exec(lines.at(-1) ?? "")?.[1]);

describe("quickstart", () => {
  test("writes, reads and classifies the penguins", () => {
    const result = quickstart();
    expect(result).toMatchObject({ status: 0 });
    expect(accuracyOf(result)).toBeGreaterThanOrEqual(0.95);
    expect(result.stdout).toContain("276 records");
    expect(result.stdout).toMatch(/records\/s, [\d.]+ MB\/s/);
    expect(result.stdout).toContain("Not used: island (strings)");
    expect(result.stdout).toContain('name: "beak_depth_mm"');
    expect(result.stderr).toContain("epoch");
  });

  testWithData.each([
    ["penguins with an inferred schema", ["--data", `${data}/penguin/*.gz`, "--label", "species"], 0.9],
    [
      "penguins with their own schema",
      ["--data", `${data}/penguin/*.gz`, "--schema", `${data}/penguin/schema.pbtxt`, "--label", "species"],
      0.9,
    ],
    ["digits", ["--data", `${data}/mnist/mnist.tfrecord`, "--label", "image_class", "--epochs", "5"], 0.7],
  ])("trains on %s", (_title, args, atLeast) => {
    const result = quickstart(...args);
    expect(result).toMatchObject({ status: 0 });
    expect(accuracyOf(result)).toBeGreaterThanOrEqual(atLeast);
  });

  testWithData("describes taxi rides if no label is given", () => {
    const result = quickstart("--data", `${data}/taxi/Split-train/*.gz`);
    expect(result).toMatchObject({ status: 0 });
    expect(result.stdout).toContain("9,909 records");
    expect(result.stdout).toContain("in 12 files");
    expect(result.stdout).toMatch(/payment_type\s+List<Binary>\s+9,909\s+0\s+0\s+9,909/);
    expect(result.stdout).toContain("Credit Card");
  });

  test.each([
    [["--data", "no/such*"], 1, "[not-found]"],
    [["--data", "README.md"], 1, "[unknown-format]"],
    [["--data", "package.json", "--schema", "no.pbtxt"], 1, "[not-found]"],
    [["--label", "species"], 2, "require --data"],
    [["--epochs", "0"], 2, "positive integer"],
    [["--bogus"], 2, "usage:"],
  ])("with %j ends with status %i and a message", (args, status, message) => {
    const result = quickstart(...args);
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toContain("    at ");
    expect(result).toMatchObject({ status, stdout: "" });
  });
});
