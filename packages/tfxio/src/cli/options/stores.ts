import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ByteStore, Json } from "@tfxio/wire";
import { wrongUse } from "../errors/wrong-use.js";

/**
 * Creates the stores given as `--store MODULE` or `--store MODULE=JSON`. A module is a package name or a path, and must export
 * `createStore(config)`. Without JSON, `config` is `{}`.
 * @throws {ArgumentError} `invalid-argument` if a module cannot be imported or does not export `createStore`, if `createStore`
 *   fails, or if its configuration is not JSON.
 */
export async function loadStores(modules: readonly string[] = []): Promise<readonly ByteStore[]> {
  return Promise.all(modules.map(loadStore));
}

/** Creates one store. A module that begins with `.` or `/` is a path, resolved against the working directory. */
async function loadStore(text: string): Promise<ByteStore> {
  const [, module = text, config] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const specifier = /^[./]/.test(module) ? pathToFileURL(path.resolve(module)).href : module;
  const loaded = (await import(specifier).catch((cause: unknown) => {
    throw wrongUse(`--store ${module} cannot be imported: ${String(cause)}`);
  })) as { readonly createStore?: (config: Json) => ByteStore | Promise<ByteStore> };
  const { createStore } = loaded;
  if (createStore === undefined)
    throw wrongUse(`The module of --store ${module} must export createStore(config).`);
  const given = config === undefined ? {} : configOf(module, config);
  try {
    return await createStore(given);
  } catch (cause) {
    throw wrongUse(`--store ${module} failed to create a store: ${String(cause)}`);
  }
}

function configOf(module: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw wrongUse(`The configuration of --store ${module} must be JSON: ${String(cause)}`);
  }
}

/** Returns true for a URL such as `s3://bucket/key`, and false for paths and `file:` URLs. */
export function isUrl(text: string): boolean {
  return /^(?!file:)[a-z][\w+.-]*:\/\//i.test(text);
}
