import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { output, tfxio } from "./command.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "tfxio-complete-"));
  mkdirSync(at("bin"));
  mkdirSync(at("work"));
  for (const name of ["people.csv", "convoy.csv"]) writeFileSync(path.join(folder, "work", name), "");
  // Stands in for the command: records the shell's request, and prints the command's answer.
  const answering = `#!/bin/sh\nprintf '%s\\n' "$@" > ${at("asked")}\ncat ${at("answer")}\n`;
  writeFileSync(at("bin/tfxio"), answering, { mode: 0o755 });
  for (const shell of SHELLS) writeFileSync(at(`script.${shell}`), await output(["complete", shell]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, argv: readonly string[]): string => {
  const env = {
    ...process.env,
    PATH: `${at("bin")}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    TERM: "dumb",
  };
  return execFileSync(program, argv, { env, cwd: at("work"), encoding: "utf8", timeout: 20_000 });
};

/**
 * Returns a program that completes `words` in zsh, as the Tab key does. The completion functions of zsh need a terminal, so the
 * program replaces them with functions that print the suggestions.
 */
const zshProgram = (words: readonly string[]): string => `
compdef() { :; }
compadd() { print -rl -- "\${(@P)\${@[-1]}}"; }
_files() { print -rl -- *(N); }
source ${at("script.zsh")}
words=(tfxio ${words.map((word) => `'${word}'`).join(" ")})
CURRENT=${words.length + 1}
_tfxio
`;

/** For each shell, a function that returns the words that the shell suggests for the last word of the line. */
const WORDS: Readonly<Record<Shell, (words: readonly string[]) => readonly string[]>> = {
  bash(words) {
    const list = ["tfxio", ...words].map((word) => `'${word}'`).join(" ");
    const program = `source ${at("script.bash")}; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _tfxio; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run("bash", ["-c", program]).split("\n");
  },
  zsh: (words) => run("zsh", ["-f", "-c", zshProgram(words)]).split("\n"),
  fish(words) {
    const program = `source ${at("script.fish")}; complete -C 'tfxio ${words.join(" ")}'`;
    return run("fish", ["--no-config", "-c", program]).split("\n");
  },
};

/** Completes the last word. The shell must pass exactly these words to the command. */
async function completed(shell: Shell, ...words: string[]): Promise<readonly string[]> {
  writeFileSync(at("answer"), (await tfxio(["complete", "--", ...words])).stdout);
  const found = WORDS[shell](words);
  expect(readFileSync(at("asked"), "utf8")).toBe(["complete", "--", ...words, ""].join("\n"));
  return [...new Set(found.filter((word) => word !== ""))];
}

describe.each(SHELLS)("tfxio complete %s", (shell) => {
  const isThere = spawnSync(shell, ["--version"]).status === 0;
  const testIn = isThere ? test : test.skip;

  test("prints a script that asks tfxio for words", async () => {
    expect(await output(["complete", shell])).toContain("tfxio complete -- ");
  });

  testIn("completes commands, options and choices with the printed script", async () => {
    const commands = await completed(shell, "con");
    expect(commands).toContain("convert");
    expect(commands).not.toContain("convoy.csv");
    const options = await completed(shell, "convert", "--shard");
    expect(options).toEqual(expect.arrayContaining(["--shards", "--shard-rows", "--shard-size"]));
    const choices = await completed(shell, "schema", "--as", "");
    expect(choices).toEqual(expect.arrayContaining(["table", "pbtxt", "json", "binary"]));
    expect(choices).not.toContain("people.csv");
  });

  testIn("leaves files to the shell where the command has no suggestions", async () => {
    // The bash function finds no words, so `-o default` completes files.
    expect(await completed(shell, "head", "peo")).toEqual(
      shell === "bash" ? [] : expect.arrayContaining(["people.csv"]),
    );
  });
});

test("tfxio complete rejects an unknown shell", async () => {
  expect((await tfxio(["complete", "csh"])).code).toBe(2);
});
