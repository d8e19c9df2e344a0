import path from "node:path";

/**
 * One spelling for the URIs of one place: repeated slashes become one, a slash at the end goes, the scheme stays.
 * Local paths, also as `file:///…`, become plain paths without `.` and `..`; object stores take dots for characters.
 */
export function normaliseUri(uri: string): string {
  const [, scheme = "", rest = ""] = /^([A-Za-z][\w+.-]*:\/\/)?(.*)$/su.exec(uri) ?? [];
  const isLocal = scheme === "" || (/^file:/iu.test(scheme) && rest.startsWith("/"));
  const collapsed = isLocal ? path.posix.normalize(rest) : rest.replaceAll(/\/{2,}/gu, "/");
  const place = collapsed.length > 1 ? collapsed.replace(/\/$/u, "") : collapsed;
  return isLocal ? place : scheme + place;
}

/** True for a URI below another one, by whole segments; both normalised. */
export function isInside(uri: string, folder: string): boolean {
  return uri.startsWith(folder.endsWith("/") ? folder : `${folder}/`) && uri.length > folder.length;
}

/** The folders that a normalised URI lies in, the nearest first. */
export function foldersOf(uri: string): string[] {
  const folders: string[] = [];
  const root = /^[A-Za-z][\w+.-]*:\/\//u.exec(uri)?.[0].length ?? 0;
  for (let end = uri.lastIndexOf("/"); end > root; end = uri.lastIndexOf("/", end - 1)) {
    folders.push(uri.slice(0, end));
  }
  if (uri.startsWith("/") && uri.length > 1) folders.push("/");
  return folders;
}
