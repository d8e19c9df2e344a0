import type { ModelRuntime } from "@tfxio/struct2tensor";
import { type BackendName, loadBackend } from "@tfxio/tensor-adapter/backends";
import { openNpmFolder } from "../npm-folder.js";

/** Returns this module's URL, with a query string that names a native package. Worker threads import it to load that package. */
export function runtimeUrl(npmFolder: string, name: string): string {
  const url = new URL(import.meta.url);
  url.search = new URLSearchParams({ npmFolder, name }).toString();
  return url.href;
}

/** Loads the native package that the URL of this module names. */
export async function models(): Promise<ModelRuntime> {
  const { searchParams } = new URL(import.meta.url);
  const { importModule } = openNpmFolder(searchParams.get("npmFolder") ?? "");
  const loaded = await loadBackend({ prefer: searchParams.get("name") as BackendName, importModule });
  return { ...loaded, url: import.meta.url };
}
