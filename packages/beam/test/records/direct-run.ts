import { createRequire } from "node:module";
import type { PCollection, Root } from "apache-beam/pvalue";
import type { ParDoLookupParam } from "apache-beam/transforms/pardo";
import type { Window } from "apache-beam/values";
import { installRepairs } from "../../src/compat/install-repairs.js";

/** An element of a pipeline's last collection, with its window. */
export interface WindowedElement {
  readonly element: unknown;
  /** In seconds. Undefined for the global window. */
  readonly window: readonly [start: number, end: number] | undefined;
}

// Pipelines refer to registered functions by name, and a name always means the function that was registered first. So
// `collectWindowed` stores its input in a global, where every run finds it.
const seen = globalThis as { beamWindowed?: WindowedElement[] };

/** Runs a pipeline on the direct runner. Returns the elements of its last collection, and its metrics. */
export async function runWindowed(build: (root: Root) => Promise<PCollection<unknown>>): Promise<{
  readonly elements: readonly WindowedElement[];
  readonly counters: Readonly<Record<string, number>>;
  readonly distributions: Readonly<Record<string, unknown>>;
}> {
  const { registry, transforms } = installRepairs();
  const { directRunner } = createRequire(import.meta.url)(
    "apache-beam/runners/direct_runner",
  ) as DirectRunner;
  const elements: WindowedElement[] = [];
  seen.beamWindowed = elements;
  const collectWindowed = (element: unknown, { window }: { readonly window: ParDoLookupParam<Window> }) => {
    const { start, end } = window.lookup() as { readonly start?: unknown; readonly end?: unknown };
    const seconds = (instant: unknown): number => Number(String(instant)) / 1000;
    seen.beamWindowed?.push({
      element,
      window: start === undefined ? undefined : [seconds(start), seconds(end)],
    });
    return null;
  };
  registry.requireForSerialization("test", { collectWindowed });
  const result = await directRunner().run((async (root: Root) => {
    const collection = await build(root);
    collection.map(collectWindowed, { window: transforms.windowParam() });
  }) as never);
  return { elements, counters: await result.counters(), distributions: await result.distributions() };
}

type DirectRunner = typeof import("apache-beam/runners/direct_runner");
