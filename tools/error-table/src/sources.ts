import { readdirSync } from "node:fs";
import path from "node:path";
import { type Module, readModule } from "./syntax.js";

/** Parses all hand-written modules under packages/NAME/src, sorted by path. */
export function readSources(root: string): readonly Module[] {
  const files = readdirSync(path.join(root, "packages")).flatMap((name) =>
    readdirSync(path.join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("generated"))
      .map((file) => path.posix.join("packages", name, "src", file.replaceAll(path.sep, "/"))),
  );
  return files.sort().map((file) => readModule(root, file));
}
