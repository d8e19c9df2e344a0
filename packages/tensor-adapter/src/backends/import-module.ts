import type { ImportModule } from "./candidate.js";

// Literal imports, so that bundlers find the packages that run in browsers.
const importers: Readonly<Record<string, () => Promise<unknown>>> = {
  "@tensorflow/tfjs-core": () => import("@tensorflow/tfjs-core"),
  "@tensorflow/tfjs-backend-webgpu": () => import("@tensorflow/tfjs-backend-webgpu"),
  "@tensorflow/tfjs-backend-wasm": () => import("@tensorflow/tfjs-backend-wasm"),
  "@tensorflow/tfjs-backend-cpu": () => import("@tensorflow/tfjs-backend-cpu"),
};

/** Imports an optional package, resolved from this package. Imports of Node-only packages are hidden from bundlers. */
export const importModule: ImportModule = (specifier) => {
  const importer = importers[specifier];
  return importer === undefined ? import(/* webpackIgnore: true */ /* @vite-ignore */ specifier) : importer();
};
