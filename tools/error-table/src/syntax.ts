import { readFileSync } from "node:fs";
import { parseSync } from "@swc/core";

/** A node of swc's syntax tree. Its members are not typed, so callers must check their types. */
export type Node = Readonly<Record<string, unknown>>;

/** A parsed TypeScript file. */
export interface Module {
  /** Path of the file, relative to the root, with forward slashes. */
  readonly file: string;
  readonly body: readonly Node[];
  /** Returns the source text of a node, in which each run of whitespace is a single space. */
  readonly textOf: (node: Node) => string;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the member `name` of a node, or undefined if that member is not a node. */
export function child(node: Node | undefined, name: string): Node | undefined {
  const value = node?.[name];
  return isNode(value) ? value : undefined;
}

/** Returns the nodes in the member `name` of a node, or an empty list if that member is not a list. */
export function children(node: Node | undefined, name: string): readonly Node[] {
  const value = node?.[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Calls `visit` with every node in `value`, parents before their children. */
export function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
  } else if (isNode(value)) {
    if (typeof value["type"] === "string" || "expression" in value) visit(value);
    for (const member of Object.values(value)) {
      if (typeof member === "object" && member !== null) walk(member, visit);
    }
  }
}

/** Returns the expression inside parentheses, `!` and type assertions, which do not change its value. */
export function unwrapped(node: Node | undefined): Node | undefined {
  let inner = node;
  while (
    inner !== undefined &&
    /^(Ts(As|NonNull|Satisfies)Expression|TsConstAssertion|ParenthesisExpression)$/.test(
      String(inner["type"]),
    )
  ) {
    inner = child(inner, "expression");
  }
  return inner;
}

/** Parses one TypeScript file. */
export function readModule(root: string, file: string): Module {
  // swc's spans are UTF-8 byte positions. They start with 1 at the first token, so the text must start with a token.
  const text = readFileSync(`${root}/${file}`, "utf8").replace(/^#!.*/, "");
  const bytes = Buffer.from(`0;${text}`);
  const { body } = parseSync(bytes.toString(), { syntax: "typescript", target: "es2022" });
  return {
    file,
    body: body as unknown as readonly Node[],
    textOf: (node) => {
      const span = child(node, "span");
      const source = bytes.subarray(Number(span?.["start"]) - 1, Number(span?.["end"]) - 1).toString();
      return source.replaceAll(/\s+/g, " ");
    },
  };
}
