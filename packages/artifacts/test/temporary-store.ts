import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach } from "@jest/globals";
import type { MetadataStore } from "../src/store/metadata-store.js";
import { openMetadataStore, type OpenStoreOptions } from "../src/store/open-store.js";

const folders: string[] = [];
const stores: MetadataStore[] = [];

afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "tfxio-artifacts-"));
  folders.push(folder);
  return folder;
}

/** Creates a store, which is closed and removed after the test. */
export async function temporaryStore(
  file: string = path.join(temporaryFolder(), "store.sqlite"),
  options: OpenStoreOptions = {},
): Promise<MetadataStore> {
  const store = await openMetadataStore(file, { access: "create", ...options });
  stores.push(store);
  return store;
}
