import { createHash, randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Longest part of a final name that its temporary name keeps: a name has 255 bytes on most file systems. */
const MAX_NAME_BYTES = 180;

/**
 * A new name beside `finalPath`: hidden, and with the machine and process that write to it, so that
 * {@link sweepTemporaryFiles} can tell whether they still do.
 */
export function temporaryPathOf(finalPath: string): string {
  const name = `${prefixOf(finalPath)}${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  return path.join(path.dirname(finalPath), name);
}

/**
 * Removes what earlier processes of this machine, which are gone, have left of their writes to `finalPath`. Never
 * rejects: leftovers cost space only.
 */
export async function sweepTemporaryFiles(finalPath: string): Promise<void> {
  const folder = path.dirname(finalPath);
  const prefix = prefixOf(finalPath);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const pid = /^(\d+)\.[0-9a-f]{12}\.tmp$/.exec(name.slice(prefix.length))?.[1];
    if (pid === undefined) continue;
    const leftover = path.join(folder, name);
    if (await isAbandoned(Number(pid), leftover)) await rm(leftover, { force: true }).catch(() => {});
  }
}

/** The same for all writes of this machine to one file. Processes of another machine cannot be looked up. */
function prefixOf(finalPath: string): string {
  const name = path.basename(finalPath);
  const kept = Buffer.byteLength(name) <= MAX_NAME_BYTES ? name : digest(name);
  return `.${kept}.${digest(os.hostname()).slice(0, 8)}.`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function isAbandoned(pid: number, file: string): Promise<boolean> {
  if (pid === process.pid) {
    // Ours, unless it is older than this process: containers give the same number to process after process.
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    return mtimeMs < Date.now() - process.uptime() * 1000;
  }
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
