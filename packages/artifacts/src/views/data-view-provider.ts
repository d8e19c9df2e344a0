import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { unusableArgument } from "@tfxio/wire/checks";
import { isTfxioError } from "@tfxio/wire/errors";
import { DATA_VIEW_TYPE } from "../examples/artifact-types.js";
import type { Component, Parameters } from "../runner/component.js";
import type { DataViews } from "./data-views.js";

/**
 * The component that makes a DataView. Parameters: `createDecoderFunc`, the name of an exported function without arguments, or
 * `module#name`; and `moduleFile`, the file with the function, unless the module is named. It runs the function once, saves what it
 * gives, loads it again and decodes no records with it, so that a view that cannot be used is never published. Output `data_view`.
 * A changed file under the same path is another view: its content decides about reuse.
 * @see `DataViewProvider` in `components/experimental/data_view` of TFX
 */
export function dataViewProvider(dataViews: DataViews): Component {
  return {
    type: "DataViewProvider",
    inputs: {},
    outputs: { data_view: DATA_VIEW_TYPE },
    contentKey: async (parameters) => {
      const { file } = decoderFunction(parameters);
      return file === undefined
        ? ""
        : createHash("sha256")
            .update(await readFile(file))
            .digest("hex");
    },
    run: async ({ outputs, parameters }) => {
      const uri = outputs["data_view"]?.uri ?? "";
      const create = await importedFunction(parameters);
      await dataViews.save(await create(), uri);
      const view = await dataViews.load(uri);
      await view.decodeRecords([]);
      return { data_view: {} };
    },
  };
}

interface DecoderFunction {
  readonly name: string;
  /** Absolute path; undefined for a function of a package. */
  readonly file: string | undefined;
  readonly specifier: string;
}

function decoderFunction({ createDecoderFunc, moduleFile }: Parameters): DecoderFunction {
  if (typeof createDecoderFunc !== "string" || createDecoderFunc === "") {
    throw unusableArgument("createDecoderFunc", "must be the name of an exported function");
  }
  if (moduleFile !== undefined) {
    if (typeof moduleFile !== "string" || moduleFile === "")
      throw unusableArgument("moduleFile", "must be the path of a module");
    const file = path.resolve(moduleFile);
    return { name: createDecoderFunc, file, specifier: pathToFileURL(file).href };
  }
  const separator = createDecoderFunc.lastIndexOf("#");
  if (separator < 1 || separator === createDecoderFunc.length - 1) {
    throw unusableArgument("createDecoderFunc", "must be module#name where there is no moduleFile");
  }
  return {
    name: createDecoderFunc.slice(separator + 1),
    file: undefined,
    specifier: createDecoderFunc.slice(0, separator),
  };
}

async function importedFunction(parameters: Parameters): Promise<() => unknown> {
  const { name, file, specifier } = decoderFunction(parameters);
  // Node keeps modules by URL: a file that has changed needs another one.
  const version =
    file === undefined
      ? ""
      : `?${createHash("sha256")
          .update(await readFile(file))
          .digest("hex")}`;
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(specifier + version)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (isTfxioError(error)) throw error;
    throw unusableArgument("moduleFile", `cannot be imported: ${String(error)}`, { reason: "module" });
  }
  const create = module[name];
  if (typeof create === "function") return create as () => unknown;
  throw unusableArgument(
    "createDecoderFunc",
    `must be a function that ${specifier} exports, found ${typeof create}`,
    {
      reason: "module",
    },
  );
}
