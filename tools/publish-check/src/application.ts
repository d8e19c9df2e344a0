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
  /** Path within `docs/examples/`. */
  readonly path: string;
  /** A line that the program must print. */
  readonly prints: string;
}

/** An application that installs the packages with npm. */
export interface Application {
  readonly name: string;
  /** Arguments of `npm install` for packages that are not ours. */
  readonly installs: readonly string[];
  /** Programs of `programs/` to run in the application with Node. */
  readonly programs: readonly string[];
  /** Examples to compile and run in the application. */
  readonly examples?: readonly Example[];
  /** Optional packages that npm must not install. */
  readonly absent: readonly string[];
  /** True to skip the type check of all entry points, because another application includes it. */
  readonly skipsTypes?: true;
  /** True to run the tests of the `tfxio` command against the installed command. */
  readonly testsCommand?: true;
  /** Lines of the compiler's output to ignore, because they report errors in the declarations of other packages. */
  readonly brokenDeclarations?: RegExp;
}

/** Entry points whose types need Beam's SDK, which takes 251 MB when installed. The workspace's build checks them instead. */
const NEEDS_BEAM = /^@tfxio\/beam(\/compat|\/expansion|\/pool)?$/;

/** The module resolutions with which an application must compile. */
const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

/** Installs the tarballs into a new application in a folder of `parent`. Returns the problems, one string for each. */
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
      .map((each) => `npm must not install ${each}, which is optional`),
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

/** Finds dependency ranges that only pnpm understands, such as `workspace:*`. */
function protocolViolations(packageName: string, folder: string): string[] {
  const manifest = readFileSync(path.join(folder, "node_modules", packageName, "package.json"), "utf8");
  return Array.from(
    manifest.matchAll(/"(?:workspace|catalog):[^"]*"/g),
    ([range]) => `${packageName} depends on ${range}, which npm does not support`,
  );
}

function programViolations(program: string, folder: string): string[] {
  cpSync(path.join(programs, program), path.join(folder, program));
  const { status, output } = run(process.execPath, ["--unhandled-rejections=strict", program], folder);
  return status === 0 ? [] : [`${program} failed, exit code ${status ?? "none"}:\n${output}`];
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
  if (status !== 0) return [`${file} failed, exit code ${status ?? "none"}:\n${output}`];
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
      : [`types do not compile with moduleResolution "${resolution.moduleResolution}":\n${ours.join("\n")}`];
  });
}
