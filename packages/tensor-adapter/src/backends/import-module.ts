import type { ImportModule } from "./candidate.js";

// Written out, so that bundlers find what runs in browsers.
const importers: Readonly<Record<string, () => Promise<unknown>>> = {
  "@tensorflow/tfjs-core": () => import("@tensorflow/tfjs-core"),
  "@tensorflow/tfjs-backend-webgpu": () => import("@tensorflow/tfjs-backend-webgpu"),
  "@tensorflow/tfjs-backend-wasm": () => import("@tensorflow/tfjs-backend-wasm"),
  "@tensorflow/tfjs-backend-cpu": () => import("@tensorflow/tfjs-backend-cpu"),
};

/** Loads an optional package as seen from this one. What only Node has is hidden from bundlers. */
export const importModule: ImportModule = (specifier) => {
  const importer = importers[specifier];
  return importer === undefined ? import(/* webpackIgnore: true */ /* @vite-ignore */ specifier) : importer();
};
