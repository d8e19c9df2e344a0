import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { compilePages, createWorkFolder } from "../src/compile.js";
import { examplePages } from "../src/pages.js";

// The acceptance test of remote training. It runs the processes of docs/examples/arrow-training.

const workFolder = createWorkFolder();
const directory = mkdtempSync(path.join(tmpdir(), "tfxio-training-"));
let program: string;

beforeAll(() => {
  const pages = examplePages().filter(({ name }) => name === "docs/examples/arrow-training/train.ts");
  const [page] = compilePages(pages, workFolder);
  expect(page?.errors).toEqual([]);
  program = page?.modules[0] as string;
  // In b.csv, x1 is constant. notes.txt is not a data file.
  for (const [name, numRows, slope] of [
    ["b.csv", 200, 0],
    ["a.csv", 300, 3],
  ] as const) {
    const rows = Array.from(
      { length: numRows },
      (_, row) => `${row % 2},${(row * 7) % 11},${slope * (row % 2) + 5}`,
    );
    writeFileSync(path.join(directory, name), `label,x0,x1\n${rows.join("\n")}\n`);
  }
  writeFileSync(path.join(directory, "notes.txt"), "label,x0,x1\n9,9,9\n");
}, 120_000);
afterAll(() => {
  for (const folder of [workFolder, directory]) rmSync(folder, { recursive: true, force: true });
});

/** A process of the example, with its output lines so far, and a promise of its exit code. */
interface Running {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly errors: string[];
  readonly exited: Promise<number | null>;
}

function run(...args: string[]): Running {
  const child = fork(program, args, { silent: true });
  const [lines, errors]: [string[], string[]] = [[], []];
  const outputs = [
    createInterface({ input: child.stdout! }).on("line", (line) => lines.push(line)),
    createInterface({ input: child.stderr! }).on("line", (line) => errors.push(line)),
  ];
  // Waits for the streams, not for the process's "close" event, which Node 20 does not emit after the channel is disconnected.
  const exited = Promise.all([once(child, "exit"), ...outputs.map((output) => once(output, "close"))]);
  return { child, lines, errors, exited: exited.then(([[code]]) => code as number | null) };
}

const endpointOf = async ({ child }: Running): Promise<string> => String((await once(child, "message"))[0]);
const numbersAfter = (word: string, lines: readonly string[]): number[] =>
  lines.flatMap((line) => (line.startsWith(`${word} `) ? line.split(" ").slice(1).map(Number) : []));

async function ended({ exited, lines, errors }: Running): Promise<void> {
  expect({ code: await exited, errors, lines }).toMatchObject({ code: 0, errors: [] });
}

describe.each(["tcp", "unix"])("training on a stream of another process over %s", (transport) => {
  test("reads once per epoch, leaks no tensor, and learns the same weights as local training", async () => {
    const server = run("serve", directory, transport);
    const endpoint = await endpointOf(server);
    expect(endpoint).toMatch(transport === "tcp" ? /^127\.0\.0\.1:\d+$/ : /^unix:\/\//);
    const remote = run("train", endpoint);
    const local = run("local", directory);
    await Promise.all([ended(remote), ended(local)]);
    server.child.disconnect();
    await ended(server);

    // 300 rows are 5 batches of up to 64 rows, and 200 rows are 4.
    expect(server.lines.slice(1)).toEqual(
      Array.from({ length: 5 }, () => "pass complete: 9 batches, 500 rows"),
    );
    const losses = numbersAfter("loss", remote.lines);
    expect(losses).toHaveLength(5);
    expect(losses.every(Number.isFinite)).toBe(true);
    expect(losses.at(-1)).toBeLessThan(losses[0] as number);
    expect(numbersAfter("tensors", remote.lines)).toEqual([0]);
    const weights = numbersAfter("weights", remote.lines);
    expect(weights).toHaveLength(3);
    numbersAfter("weights", local.lines).forEach((weight, at) => expect(weights[at]).toBeCloseTo(weight, 5));
  });

  test("reports a truncated record and the endpoint, and exits with status 1, if the server is killed", async () => {
    const server = run("serve", directory, transport, "40");
    const endpoint = await endpointOf(server);
    const trainer = run("train", endpoint);
    while (!trainer.lines.includes("epoch 3")) await once(trainer.child.stdout!, "data");
    // After this pause, the server is in the middle of the epoch's nine batches.
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.child.kill("SIGKILL");
    expect(await trainer.exited).toBe(1);
    expect(trainer.errors.join("\n")).toMatch(/^truncated-record /);
    expect(trainer.errors.join("\n")).toContain(endpoint);
    expect(numbersAfter("loss", trainer.lines)).toHaveLength(2);
  });
});
