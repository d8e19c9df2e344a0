import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkGraph } from "../src/check.js";

const repository = path.join(import.meta.dirname, "..", "..", "..");

/** The outcome of a turbo command. */
export interface TurboResult {
  readonly status: number | null;
  readonly output: string;
}

/** A temporary workspace with the repository's own turbo.json. */
export class WorkspaceCopy {
  readonly root = mkdtempSync(path.join(tmpdir(), "tfxio-graph-"));
  /** Written files with their previous content; undefined for new files. */
  readonly #replaced = new Map<string, string | undefined>();

  constructor() {
    cpSync(path.join(repository, "turbo.json"), path.join(this.root, "turbo.json"));
  }

  /** Copies the root files and the package files that turbo and check-graph read. */
  static ofRepository(): WorkspaceCopy {
    const copy = new WorkspaceCopy();
    const take = (file: string): void => {
      const from = path.join(repository, file);
      if (existsSync(from)) cpSync(from, path.join(copy.root, file), { recursive: true });
    };
    for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "tsconfig.base.json"])
      take(file);
    for (const name of readdirSync(path.join(repository, "packages"))) {
      for (const part of ["package.json", "turbo.json", "tsconfig.json", "src"])
        take(`packages/${name}/${part}`);
    }
    return copy;
  }

  write(file: string, text: string): void {
    const target = path.join(this.root, file);
    if (!this.#replaced.has(target)) {
      this.#replaced.set(target, existsSync(target) ? readFileSync(target, "utf8") : undefined);
    }
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  /** Restores all written files, and removes new ones. */
  restore(): void {
    for (const [target, text] of this.#replaced) {
      if (text === undefined) rmSync(target);
      else writeFileSync(target, text);
    }
    this.#replaced.clear();
  }

  append(file: string, text: string): void {
    this.write(file, `${readFileSync(path.join(this.root, file), "utf8")}\n${text}`);
  }

  /** Adds entries to a field of a package.json, such as `dependencies` or `imports`. */
  declare(pkg: string, field: string, dependencies: Readonly<Record<string, string>>): void {
    const file = `packages/${pkg}/package.json`;
    const manifest = JSON.parse(readFileSync(path.join(this.root, file), "utf8")) as Record<string, object>;
    this.write(file, JSON.stringify({ ...manifest, [field]: { ...manifest[field], ...dependencies } }));
  }

  turbo(...command: readonly string[]): TurboResult {
    const bin = path.join(repository, "node_modules", ".bin");
    const { status, stdout, stderr } = spawnSync(path.join(bin, "turbo"), command, {
      cwd: this.root,
      encoding: "utf8",
      env: {
        ...process.env,
        PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}`,
        TURBO_TELEMETRY_DISABLED: "1",
        NO_COLOR: "1",
      },
    });
    // Turbo wraps its messages to the width of a terminal.
    return { status, output: `${stdout}${stderr}`.replace(/\s+\|?\s*/g, " ") };
  }

  checkGraph(): string[] {
    return checkGraph(this.root);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
