import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { commandViolations } from "./command.js";
import { run } from "./run.js";
import type { Tarball } from "./tarball.js";

const programs = path.join(import.meta.dirname, "..", "programs");
const examplesFolder = path.join(import.meta.dirname, "..", "..", "..", "docs", "examples");
const tsc = path.join(import.meta.dirname, "..", "..", "..", "node_modules", ".bin", "tsc");

/** A program of `docs/examples/`. */
export interface Example {
  /** Path within the folder. */
  readonly path: string;
  readonly prints: string;
}

/** An application that installs the packages with npm. */
export interface Application {
  readonly name: string;
  /** Packages of the registry that it installs too, as npm takes them. */
  readonly installs: readonly string[];
  /** Programs of `programs/` that Node runs in it. */
  readonly programs: readonly string[];
  /** Programs of `docs/examples/` that are compiled and run in it, and a line that each must print. */
  readonly examples?: readonly Example[];
  /** Packages that npm must not bring along. */
  readonly absent: readonly string[];
  /** Leaves the declarations of all entries to the other applications. */
  readonly skipsTypes?: true;
  /** Runs the tests of the `tfxio` command with the one that is installed. */
  readonly testsCommand?: true;
  /** Files of others whose declarations do not compile with `skipLibCheck: false`, whatever imports them. */
  readonly brokenDeclarations?: RegExp;
}

/** Entries whose declarations name those of Beam's SDK, which installs 251 MB. The workspace compiles them. */
const NEEDS_BEAM = /^@tfxio\/beam(\/compat|\/expansion|\/pool)?$/;

/** Where an application's compiler looks for modules. */
const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

/** Creates the application in a new folder below `parent`, and returns all problems found. */
export function applicationViolations(
  {
    name,
    installs,
    programs: names,
    examples = [],
    absent,
    testsCommand,
    skipsTypes,
    brokenDeclarations,
  }: Application,
  tarballs: readonly Tarball[],
  parent: string,
): string[] {
  const folder = path.join(parent, name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const files = tarballs.map(({ file }) => file);
  const installed = run("npm", ["install", "--no-audit", "--no-fund", ...files, ...installs], folder);
  if (installed.status !== 0) return [`${name}: npm install failed:\n${installed.output}`];
  const lock = readFileSync(path.join(folder, "package-lock.json"), "utf8");
  return [
    ...absent
      .filter((each) => lock.includes(`"node_modules/${each}"`))
      .map((each) => `npm has installed ${each}, which is optional`),
    ...tarballs.flatMap(({ pkg }) => protocolViolations(pkg.name, folder)),
    ...names.flatMap((program) => programViolations(program, folder)),
    ...examples.flatMap((example) => exampleViolations(example, folder)),
    ...(testsCommand === true ? commandViolations(folder) : []),
    ...(skipsTypes === true
      ? []
      : typeViolations(
          tarballs.flatMap(({ pkg }) => pkg.entryPoints).filter((entry) => !NEEDS_BEAM.test(entry)),
          folder,
          brokenDeclarations,
        )),
  ].map((violation) => `${name}: ${violation}`);
}

/** Ranges that only a workspace knows. */
function protocolViolations(packageName: string, folder: string): string[] {
  const manifest = readFileSync(path.join(folder, "node_modules", packageName, "package.json"), "utf8");
  return Array.from(
    manifest.matchAll(/"(?:workspace|catalog):[^"]*"/g),
    ([range]) => `${packageName} depends on ${range}, which npm does not know`,
  );
}

function programViolations(program: string, folder: string): string[] {
  cpSync(path.join(programs, program), path.join(folder, program));
  const { status, output } = run(process.execPath, ["--unhandled-rejections=strict", program], folder);
  return status === 0 ? [] : [`${program} ended with ${status}:\n${output}`];
}

function exampleViolations({ path: file, prints }: Example, folder: string): string[] {
  const source = path.basename(file);
  cpSync(path.join(examplesFolder, file), path.join(folder, source));
  const options = [
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2023,dom",
    "--strict",
    "--skipLibCheck",
  ];
  const compiled = run(tsc, [source, ...options, "--types", "node", "--pretty", "false"], folder);
  rmSync(path.join(folder, source));
  if (compiled.status !== 0) return [`${file} does not compile:\n${compiled.output}`];
  const { status, output } = run(process.execPath, [source.replace(/\.ts$/, ".js")], folder);
  if (status !== 0) return [`${file} ended with ${status}:\n${output}`];
  return output.split("\n").includes(prints) ? [] : [`${file} did not print "${prints}":\n${output}`];
}

function typeViolations(
  entryPoints: readonly string[],
  folder: string,
  brokenDeclarations: RegExp | undefined,
): string[] {
  const imports = entryPoints.map((entry, index) => `import * as entry${index} from "${entry}";`);
  const names = entryPoints.map((_entry, index) => `entry${index}`);
  writeFileSync(
    path.join(folder, "every-entry.ts"),
    `${imports.join("\n")}\nexport { ${names.join(", ")} };\n`,
  );
  cpSync(path.join(programs, "types.ts"), path.join(folder, "types.ts"));
  return resolutions.flatMap((resolution) => {
    const compilerOptions = {
      ...resolution,
      target: "es2022",
      lib: ["es2023", "dom"],
      types: ["node"],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const { status, output } = run(tsc, ["-p", ".", "--pretty", "false"], folder);
    if (status === 0) return [];
    const ours = output.split("\n").filter((line) => brokenDeclarations?.test(line) !== true);
    return ours.length === 0
      ? []
      : [`types do not compile with ${resolution.moduleResolution}:\n${ours.join("\n")}`];
  });
}
