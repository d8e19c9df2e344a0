import { realpathSync } from "node:fs";
import path from "node:path";

/**
 * Resolves the symbolic links in a normalized local path. A link to a missing target stays unchanged, and so do segments at the
 * end that do not exist. Relative paths, unreadable paths and URIs of byte stores are returned unchanged.
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
