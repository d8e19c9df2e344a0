import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Interop } from "../interop.js";
import { pythonWith } from "../python.js";
import { runInChild } from "../run-in-child.js";
import { startJobService } from "./job-service.js";

/** Beam's Python portable runner: pipelines of ours and of Python's, on workers of ours. */
export const beam: Interop = {
  name: "beam",
  about: "pipelines on the portable runner of Beam for Python",
  run: async (context) => {
    const python = await pythonWith("apache_beam", context);
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    const service = await startJobService(python, folder);
    try {
      const child = path.join(import.meta.dirname, "child.js");
      await runInChild(child, [service.address, folder], context.environment, context.report);
      const crossLanguage = path.join(import.meta.dirname, "cross-language-child.js");
      await runInChild(crossLanguage, [service.address, folder, python], context.environment, context.report);
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
