import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";

const root = path.resolve(import.meta.dirname, "../../..");

/** What an error is known by: `SchemaError schema-invalid text-format`, with `–` for no reason. */
type Identity = string;

/** The errors that the tables of docs/errors.md list. */
function documented(): Set<Identity> {
  const found = new Set<Identity>();
  let classes: string[] = [];
  let codes: string[] = [];
  for (const line of readFileSync(path.join(root, "docs/errors.md"), "utf8").split("\n")) {
    const names = (text: string): string[] =>
      Array.from(text.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);
    if (line.startsWith("## ")) classes = names(line);
    const [, code, reason] = /^\| *(`[a-z-]+`|) *\| *([^|]*?) *\|/.exec(line) ?? [];
    if (code === undefined || reason === undefined) continue;
    if (code !== "") codes = names(code);
    for (const each of classes) {
      for (const name of [...names(reason), ...(reason.startsWith("–") ? ["–"] : [])]) {
        found.add(`${each} ${codes[0]} ${name}`);
      }
    }
  }
  return found;
}

const ERRORS = /new ((?:Argument|Source|Record|Schema|Conversion|Unsupported|UserFunction)Error)\(/g;

/** The errors that sources make: every `new …Error(…)` with a literal code, and its literal reasons. */
function thrown(): Map<Identity, string> {
  const found = new Map<Identity, string>();
  for (const name of readdirSync(path.join(root, "packages"))) {
    const folder = path.join(root, "packages", name, "src");
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.includes("generated")) continue;
      const text = readFileSync(path.join(folder, file), "utf8");
      for (const match of text.matchAll(ERRORS)) {
        const call = argumentsFrom(text, match.index + match[0].length);
        const code = codeOf(match[1] ?? "", call);
        if (code === undefined) continue;
        const reasons = Array.from(call.matchAll(/\breason: "([a-z0-9-]+)"/g), ([, reason = ""]) => reason);
        const isPlain = reasons.length === 0 && !/\breason\b/.test(call);
        for (const reason of isPlain ? ["–"] : reasons) {
          found.set(`${match[1]} ${code} ${reason}`, `packages/${name}/src/${file}`);
        }
      }
    }
  }
  return found;
}

function codeOf(errorClass: string, call: string): string | undefined {
  if (errorClass === "UnsupportedError") return "unsupported";
  if (errorClass === "UserFunctionError") return "user-function";
  return /^\s*"([a-z-]+)",/.exec(call)?.[1];
}

/** The text up to the parenthesis that closes the one before `start`. Strings with lone parentheses are rare enough. */
function argumentsFrom(text: string, start: number): string {
  let depth = 1;
  let end = start;
  while (depth > 0 && end < text.length) {
    if (text[end] === "(") depth++;
    if (text[end] === ")") depth--;
    end++;
  }
  return text.slice(start, end - 1);
}

test("docs/errors.md lists every error with its class, code and reason", () => {
  const errors = thrown();
  expect(errors.size).toBeGreaterThan(60);
  const listed = documented();
  expect([...errors].filter(([identity]) => !listed.has(identity))).toEqual([]);
});
