import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { DataView } from "@tfxio/struct2tensor";
import { describeValue, invalidArgument, membersOf, unusableArgument } from "@tfxio/wire/checks";
import { isTfxioError } from "@tfxio/wire/errors";
import { DATA_VIEW_TYPE } from "../examples/artifact-types.js";
import { DATA_VIEW_DIGEST } from "../examples/examples-of.js";
import type { Component, Parameters } from "../runner/component.js";
import type { ModelRuntime } from "./model-runtime.js";
import { openDataView } from "./open-data-view.js";
import { dataViewDigest, saveInside } from "./saved-view.js";
import { dataViewLibrary } from "./struct2tensor.js";

/**
 * The component that creates a DataView in its output `data_view`. The parameter `createDecoderFunc` names an exported
 * function without parameters. The parameter `moduleFile` is the path of the module that exports it; without `moduleFile`,
 * the name has the form `module#name`. The function returns a `DataView` of `@tfxio/struct2tensor`, or a promise of one. The
 * component calls the function once and saves the view. Then it loads the view and decodes an empty list of records, so that
 * an unusable view is never published. If the view calls a model, the module must export `models`: a {@link ModelRuntime}, or a
 * function that returns one. Earlier outputs are reused only if the content of `moduleFile` is unchanged. Changes to
 * modules that this file imports, or to a module named by `module#name`, are not noticed.
 * @see `DataViewProvider` in `components/experimental/data_view` of TFX
 */
export const dataViewProvider: Component = {
  type: "DataViewProvider",
  inputs: {},
  outputs: { data_view: DATA_VIEW_TYPE },
  contentKey: async (parameters) => {
    const { file } = decoderFunction(parameters);
    return file === undefined ? "" : digestOf(file);
  },
  run: async ({ outputs, parameters }) => {
    const uri = outputs["data_view"]?.uri ?? "";
    await dataViewLibrary();
    const { create, models } = await importedDecoder(parameters);
    await saveInside(uri, asDataView(await create()));
    (await openDataView(uri, { models: await models() })).decode([]);
    return { data_view: { customProperties: { [DATA_VIEW_DIGEST]: await dataViewDigest(uri) } } };
  },
};

/** Checks a function's result. @throws {ArgumentError} `invalid-argument` (`module`) if it lacks the members of a DataView. */
function asDataView(value: unknown): DataView {
  const { expression, outputs, messages, plan } = membersOf(value);
  const hasParts = [expression, messages, plan].every((part) => typeof part === "object" && part !== null);
  if (hasParts && Array.isArray(outputs)) return value as DataView;
  throw unusableArgument(
    "createDecoderFunc",
    `must name a function that returns a DataView (see createDataView), but this one returned ${describeValue(value)}`,
    { reason: "module" },
  );
}

interface DecoderFunction {
  /** Name under which the module exports the function. */
  readonly name: string;
  /** Absolute path of the module; undefined for the form `module#name`. */
  readonly file: string | undefined;
  /** The specifier to pass to `import`: a file URL or the name of a module. */
  readonly specifier: string;
}

function decoderFunction({ createDecoderFunc, moduleFile }: Parameters): DecoderFunction {
  if (typeof createDecoderFunc !== "string" || createDecoderFunc === "") {
    throw invalidArgument("createDecoderFunc", "the name of an exported function", createDecoderFunc);
  }
  if (moduleFile !== undefined) {
    if (typeof moduleFile !== "string" || moduleFile === "")
      throw invalidArgument("moduleFile", "the path of a module", moduleFile);
    const file = path.resolve(moduleFile);
    return { name: createDecoderFunc, file, specifier: pathToFileURL(file).href };
  }
  const separator = createDecoderFunc.lastIndexOf("#");
  if (separator < 1 || separator === createDecoderFunc.length - 1) {
    throw unusableArgument(
      "createDecoderFunc",
      `must have the form module#name if moduleFile is not given, found ${createDecoderFunc}`,
    );
  }
  return {
    name: createDecoderFunc.slice(separator + 1),
    file: undefined,
    specifier: createDecoderFunc.slice(0, separator),
  };
}

/** The exports of a module that creates a view. */
interface ImportedDecoder {
  readonly create: () => unknown;
  /** Returns the module's export `models`, calling it if it is a function. */
  readonly models: () => Promise<ModelRuntime | undefined>;
}

async function importedDecoder(parameters: Parameters): Promise<ImportedDecoder> {
  const { name, file, specifier } = decoderFunction(parameters);
  // Node caches modules by URL, so it loads a changed file again only if the URL is new.
  const version = file === undefined ? "" : `?${await digestOf(file)}`;
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(specifier + version)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (isTfxioError(error)) throw error;
    const [argument, what] = file === undefined ? ["createDecoderFunc", "names"] : ["moduleFile", "is"];
    throw unusableArgument(argument, `${what} a module that cannot be imported: ${String(error)}`, {
      reason: "module",
    });
  }
  const create = module[name];
  const exported = module["models"];
  const models = async (): Promise<ModelRuntime | undefined> =>
    (typeof exported === "function" ? await exported() : exported) as ModelRuntime | undefined;
  if (typeof create === "function") return { create: create as () => unknown, models };
  throw unusableArgument(
    "createDecoderFunc",
    `names "${name}", but ${specifier} exports no function of that name`,
    {
      reason: "module",
    },
  );
}

/**
 * Returns the SHA-256 of a file, in hexadecimal.
 * @throws {ArgumentError} `invalid-argument` (`module`) if the file cannot be read.
 */
async function digestOf(file: string): Promise<string> {
  let content: Uint8Array;
  try {
    content = await readFile(file);
  } catch (error) {
    throw unusableArgument("moduleFile", `must be a file that can be read: ${String(error)}`, {
      reason: "module",
    });
  }
  return createHash("sha256").update(content).digest("hex");
}
