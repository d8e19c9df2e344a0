import path from "node:path";

/**
 * Returns the normalized path of a local URI, or undefined if the URI is not local. Normalizing removes `.` segments, repeated
 * slashes and a trailing slash, and resolves `..` segments as far as possible. Local URIs are plain paths, `file:///…` and
 * `file://localhost/…`. A percent sign is an ordinary character, as in TensorFlow's file systems.
 */
export function localPathOf(uri: string): string | undefined {
  const [, scheme = "", rest = ""] = /^([A-Za-z][\w+.-]*:\/\/)?(.*)$/su.exec(uri) ?? [];
  if (scheme === "") return withoutLastSlash(path.posix.normalize(rest));
  const place = /^file:/iu.test(scheme) ? rest.replace(/^localhost(?=\/)/iu, "") : "";
  return place.startsWith("/") ? withoutLastSlash(path.posix.normalize(place)) : undefined;
}

/**
 * Returns the canonical form of a URI: a plain path if the URI is local, otherwise the URI without repeated or trailing
 * slashes.
 */
export function normalizeUri(uri: string): string {
  const local = localPathOf(uri);
  if (local !== undefined) return local;
  const [, scheme = "", rest = ""] = /^([^/]*:\/\/)(.*)$/su.exec(uri) ?? [];
  return scheme + withoutLastSlash(rest.replaceAll(/\/{2,}/gu, "/"));
}

/**
 * Returns the normalized URIs of all places that a URI may refer to. Some programs decode percent escapes in `file:` URIs, so
 * `file:///a%20b` may also mean `/a b`.
 */
export function placesOf(uri: string): readonly string[] {
  const place = normalizeUri(uri);
  if (!/^file:/iu.test(uri) || !place.startsWith("/")) return [place];
  try {
    return [...new Set([place, normalizeUri(decodeURIComponent(place))])];
  } catch {
    // The path contains an invalid percent escape.
    return [place];
  }
}

function withoutLastSlash(place: string): string {
  return place.length > 1 ? place.replace(/\/$/u, "") : place;
}

/** True if `uri` lies strictly below `folder`, compared by whole path segments. Both must be normalized. */
export function isInside(uri: string, folder: string): boolean {
  return uri.startsWith(folder.endsWith("/") ? folder : `${folder}/`) && uri.length > folder.length;
}

/** Returns the folders that contain a normalized URI, innermost first. The URI itself is not included. */
export function foldersOf(uri: string): string[] {
  const folders: string[] = [];
  const root = /^[A-Za-z][\w+.-]*:\/\//u.exec(uri)?.[0].length ?? 0;
  for (let end = uri.lastIndexOf("/"); end > root; end = uri.lastIndexOf("/", end - 1)) {
    folders.push(uri.slice(0, end));
  }
  if (uri.startsWith("/") && uri.length > 1) folders.push("/");
  return folders;
}
