import { createHash, randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/**
 * A temporary name contains the final name if the final name has at most this many bytes. A longer final name is replaced with
 * its hash, since most file systems allow at most 255 bytes per name.
 */
const MAX_NAME_BYTES = 180;

/**
 * Returns a new path for a hidden file in the folder of `finalPath`. The path contains the process id and a hash of the host
 * name, so that {@link sweepTemporaryFiles} can check whether the writing process is still alive.
 */
export function temporaryPathOf(finalPath: string): string {
  const name = `${prefixOf(finalPath)}${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  return path.join(path.dirname(finalPath), name);
}

/**
 * Removes temporary files that dead processes of this machine left for `finalPath`. Never rejects, because leftovers only cost
 * space.
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

/**
 * Returns the prefix that this machine uses for all temporary files of one final file. The prefix excludes files of other
 * machines, because their processes cannot be checked.
 */
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
    // Containers reuse process ids. A file older than this process was left by an earlier process with the same id.
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    return mtimeMs < Date.now() - process.uptime() * 1000;
  }
  try {
    // Signal 0 only checks whether the process exists.
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
