import { aName, assertArgument, isObject, membersOf, required, rule } from "@tfxio/wire/checks";
import type { QueryModel } from "../models/query-model.js";
import { noRuntime } from "../models/runtime-module.js";
import type { AnyDataView } from "./data-view.js";
import { encodeDataView } from "./encode-data-view.js";
import type { DataViewFiles } from "./manifest.js";

/** The files of a saved view as base64 text, keyed by path in its directory. */
export type DecoderConfig = Readonly<Record<string, string>>;

/** The files of a saved view with models, and the URL of the module that exports their runtime. */
export type ModelDecoderConfig = {
  readonly files: DecoderConfig;
  /** URL of the module that exports the runtime: the `url` of `ModelRuntime`. */
  readonly models: string;
};

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const filesAsText = rule(
  "an object whose values are files in base64",
  (value) =>
    isObject(value) &&
    Object.values(value).every(
      (text) => typeof text === "string" && text.length % 4 === 0 && BASE64.test(text),
    ),
);

/**
 * Creates the configuration of a view. It includes the URL of the runtime if the view calls models.
 * @throws The errors of `encodeDataView`.
 * @throws {UnsupportedError} `unsupported` (`model-runtime`) unless all models share one runtime URL.
 */
export async function configOf(view: AnyDataView): Promise<DecoderConfig | ModelDecoderConfig> {
  const models = modelsOf(view);
  const url = models.length === 0 ? undefined : urlOf(models);
  const files = Object.fromEntries(
    [...(await encodeDataView(view))].map(([name, bytes]) => [name, base64Of(bytes)]),
  );
  return url === undefined ? files : { files, models: url };
}

/** Decodes the files of a configuration. @throws {ArgumentError} `invalid-argument` unless it is an object of base64 strings. */
export function filesOf(config: DecoderConfig): DataViewFiles {
  assertArgument("config", config, filesAsText);
  return new Map(Object.entries(config).map(([name, text]) => [name, bytesOfBase64(text)] as const));
}

/** Decodes the files of a configuration with models. Returns its URL unchanged. @throws {ArgumentError} `invalid-argument`. */
export function modelConfigOf(config: ModelDecoderConfig): {
  readonly files: DataViewFiles;
  readonly url: string;
} {
  const { files, models } = membersOf(config);
  assertArgument("config.models", models, required(aName));
  return { files: filesOf(files as DecoderConfig), url: models as string };
}

/** Returns the models that a view calls. */
function modelsOf(view: AnyDataView): readonly QueryModel[] {
  if (view.kind === "tf-saved-model") return [view.model];
  return view.plan.nodes.flatMap(({ node: { model } }) => model ?? []);
}

/**
 * Returns the runtime URL that all models share.
 * @throws {UnsupportedError} `unsupported` (`model-runtime`) if a model has no URL, or the URLs differ.
 */
function urlOf(models: readonly QueryModel[]): string {
  const urls = [...new Set(models.map((model) => model.runtimeUrl))];
  const [url] = urls;
  if (url === undefined || urls.length > 1) {
    throw noRuntime('their runtimes must have the same url, which names a module with the export "models"');
  }
  return url;
}

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
