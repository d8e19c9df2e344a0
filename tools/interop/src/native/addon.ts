import { existsSync } from "node:fs";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { Unavailable } from "../interop.js";
import { prepare } from "../run-command.js";

const version = "2.21.0";
const tags: Readonly<Record<string, string>> = {
  x64: "manylinux_2_27_x86_64",
  arm64: "manylinux_2_27_aarch64",
};

// A Python program that extracts TensorFlow's headers and two shared libraries from a wheel. Its arguments are the wheel and
// a folder.
const unpack = `
import re, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    keep = re.compile(r"tensorflow/(include/(tensorflow|xla/tsl|tsl)/|libtensorflow_(cc|framework)\\.so\\.2$)")
    wheel.extractall(sys.argv[2], [name for name in wheel.namelist() if keep.match(name)])
`;

/**
 * Downloads TensorFlow's C library and headers from the wheel `tensorflow-cpu`, unless the cache has them. They take about 1 GB.
 * @returns The path of the wheel's folder `tensorflow`.
 * @throws {Unavailable} if the platform is not Linux on x64 or arm64, or the download fails.
 */
export async function tensorflowLibrary(cacheFolder: string, note: (line: string) => void): Promise<string> {
  const platform = tags[process.arch];
  if (process.platform !== "linux" || platform === undefined) {
    throw new Unavailable(
      `the platform must be Linux on x64 or arm64, found ${process.platform} on ${process.arch}`,
    );
  }
  const folder = path.join(cacheFolder, `tensorflow-cpu-${version}`);
  if (existsSync(folder)) return path.join(folder, "tensorflow");
  note(`downloading tensorflow-cpu ${version} from PyPI (about 250 MB) into ${cacheFolder}`);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  const download = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", partial];
  const target = [
    "--implementation",
    "cp",
    "--python-version",
    "3.11",
    "--abi",
    "cp311",
    "--platform",
    platform,
  ];
  await prepare("python3", ["-m", "pip", ...download, ...target, `tensorflow-cpu==${version}`]);
  const wheel = path.join(partial, `tensorflow_cpu-${version}-cp311-cp311-${platform}.whl`);
  await prepare("python3", ["-c", unpack, wheel, partial]);
  await rm(wheel);
  await rename(partial, folder);
  return path.join(folder, "tensorflow");
}

/**
 * Compiles the addon of tfjs-node or tfjs-node-gpu against TensorFlow's C library, and writes it into `npmFolder`, to the path
 * from which the package loads it. Does nothing if that file exists.
 * @param library The folder that {@link tensorflowLibrary} returned.
 * @throws {Unavailable} if `g++` is missing or fails.
 */
export async function buildAddon(
  npmFolder: string,
  name: "tfjs-node" | "tfjs-node-gpu",
  library: string,
  note: (line: string) => void,
): Promise<void> {
  const modules = path.join(npmFolder, "node_modules");
  const packageFolder = path.join(modules, "@tensorflow", name);
  const addon = path.join(packageFolder, "lib", "napi-v8", "tfjs_binding.node");
  if (existsSync(addon)) return;
  note(`compiling the addon of ${name}`);
  const libraries = path.join(packageFolder, "deps", "lib");
  await mkdir(path.dirname(addon), { recursive: true });
  await mkdir(libraries, { recursive: true });
  for (const file of ["libtensorflow_cc.so.2", "libtensorflow_framework.so.2"]) {
    await rm(path.join(libraries, file), { force: true });
    await symlink(path.join(library, file), path.join(libraries, file));
  }
  const partial = `${addon}.partial`;
  await prepare("g++", [
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-shared",
    "-DNAPI_VERSION=8",
    `-I${path.join(modules, "node-api-headers", "include")}`,
    `-I${path.join(library, "include")}`,
    path.join(packageFolder, "binding", "tfjs_backend.cc"),
    path.join(packageFolder, "binding", "tfjs_binding.cc"),
    "-o",
    partial,
    `-L${libraries}`,
    "-l:libtensorflow_cc.so.2",
    "-l:libtensorflow_framework.so.2",
    "-Wl,-rpath,$ORIGIN/../../deps/lib",
  ]);
  await rename(partial, addon);
}
