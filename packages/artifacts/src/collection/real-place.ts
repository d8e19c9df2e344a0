import { realpathSync } from "node:fs";
import path from "node:path";

/**
 * Resolves every symbolic link in a normalised local path. Missing segments at the end stay as they are. URIs of stores,
 * relative paths and paths that cannot be read are returned unchanged.
 */
export function realPlaceOf(uri: string): string {
  if (!uri.startsWith("/")) return uri;
  const missing: string[] = [];
  for (let existing = uri; ; existing = path.dirname(existing)) {
    try {
      return path.join(realpathSync(existing), ...missing);
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if ((code !== "ENOENT" && code !== "ENOTDIR") || existing === "/") return uri;
      missing.unshift(path.basename(existing));
    }
  }
}
