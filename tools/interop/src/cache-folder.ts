import { homedir } from "node:os";
import path from "node:path";

/** Returns our folder in the operating system's folder for caches, or in `XDG_CACHE_HOME` if that is an absolute path. */
export function cacheFolder(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  const xdg = environment["XDG_CACHE_HOME"];
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, "tfxio-interop");
  const home = environment["HOME"] ?? homedir();
  if (platform === "darwin") return path.join(home, "Library", "Caches", "tfxio-interop");
  const local = environment["LOCALAPPDATA"];
  if (platform === "win32" && local !== undefined) return path.join(local, "tfxio-interop", "Cache");
  return path.join(home, ".cache", "tfxio-interop");
}
