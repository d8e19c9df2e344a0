import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Unavailable } from "../interop.js";
import { prepare } from "../run-command.js";

const files = ["libvk_swiftshader.so", "vk_swiftshader_icd.json", "libvulkan.so.1"];

/**
 * Returns the environment variables that Dawn needs at process start to find a Vulkan device. Empty if the user chose a device.
 * Otherwise the variables select SwiftShader, a software device in Debian's package chromium-common.
 * @throws {Unavailable} if that package is unavailable.
 */
export async function vulkanEnvironment(
  cacheFolder: string,
  environment: NodeJS.ProcessEnv,
  note: (line: string) => void,
): Promise<Readonly<Record<string, string>>> {
  if (environment["VK_ICD_FILENAMES"] !== undefined || environment["VK_DRIVER_FILES"] !== undefined)
    return {};
  if (process.platform !== "linux") {
    throw new Unavailable(
      "SwiftShader comes from a Debian package, which needs Linux; set VK_ICD_FILENAMES to use another device",
    );
  }
  const folder = path.join(cacheFolder, "swiftshader");
  if (!existsSync(folder)) {
    note(`downloading chromium-common (about 30 MB) from Debian for its SwiftShader, into ${folder}`);
    const partial = await mkdtemp(path.join(cacheFolder, "swiftshader-"));
    try {
      await fetchInto(partial);
      await rename(path.join(partial, "kept"), folder);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  const libraries = [folder, environment["LD_LIBRARY_PATH"]].filter(Boolean).join(path.delimiter);
  return { VK_ICD_FILENAMES: path.join(folder, "vk_swiftshader_icd.json"), LD_LIBRARY_PATH: libraries };
}

/** Downloads the package with apt-get, without installing it, and copies three files to `folder`/kept. */
async function fetchInto(folder: string): Promise<void> {
  await prepare("apt-get", ["download", "chromium-common"], { cwd: folder });
  const archive = (await readdir(folder)).find((name) => name.endsWith(".deb")) ?? "";
  await prepare("dpkg-deb", ["--extract", archive, "unpacked"], { cwd: folder });
  await mkdir(path.join(folder, "kept"));
  for (const name of files) {
    const from = path.join(folder, "unpacked", "usr", "lib", "chromium", name);
    if (!existsSync(from)) throw new Unavailable(`chromium-common has no ${name}`);
    await copyFile(from, path.join(folder, "kept", name));
  }
}
