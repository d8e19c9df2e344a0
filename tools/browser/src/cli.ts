// node dist/cli.js: builds programs for production with several bundlers and runs them in Chromium. It runs the programs of
// README.md, and one program for each of several file formats. Exits with 1 if a build fails, or a program throws or does not
// finish.
import {
  arrowProgram,
  bundlers,
  parquetProgram,
  readmeProgram,
  type Site,
  siteOf,
  tfRecordProgram,
} from "./builds.js";
import { findChromium, launchChromium } from "./chromium.js";
import { serve } from "./serve.js";

const TIMEOUT_MS = 30_000;

/** Runs a site's program. Resolves to its first error, or the reason why it does not finish; undefined if it succeeds. */
async function failureOf(site: Site, executable: string): Promise<string | undefined> {
  const served = await serve(site);
  const browser = await launchChromium(executable);
  const problems: string[] = [];
  try {
    const page = await browser.newPage();
    page.on("pageerror", ({ message }) => problems.push(message));
    await page.goto(served.origin);
    await page.waitForFunction(
      () => (globalThis as { readonly isDone?: boolean }).isDone === true,
      undefined,
      { timeout: TIMEOUT_MS },
    );
    return problems[0];
  } catch (error) {
    return (
      problems[0] ?? `the program does not finish: ${error instanceof Error ? error.message : String(error)}`
    );
  } finally {
    await browser.close();
    await served.close();
  }
}

const executable = findChromium();
if (executable === undefined) {
  console.log("skipped: no Chromium found on the PATH. Install Chromium, or set CHROMIUM_PATH.");
} else {
  const programs = [
    { verdict: "runs the programs of README.md", programFor: readmeProgram },
    { verdict: "reads TFRecords", programFor: tfRecordProgram },
    { verdict: "reads a Parquet file", programFor: parquetProgram },
    { verdict: "reads Arrow files", programFor: arrowProgram },
  ];
  for (const { verdict, programFor } of programs) {
    for (const bundler of bundlers) {
      const failure = await Promise.resolve(programFor(bundler))
        .then((program) => siteOf(bundler, program))
        .then((site) => failureOf(site, executable))
        .catch(
          (error: unknown) =>
            `the build or the start of the browser fails: ${error instanceof Error ? error.message : String(error)}`,
        );
      const result = failure === undefined ? `builds and ${verdict}` : `fails ("${verdict}"): ${failure}`;
      console.log(`${bundler.name.padEnd(21)} ${result}`);
      if (failure !== undefined) process.exitCode = 1;
    }
  }
}
