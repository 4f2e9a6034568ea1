/** Reads EPUB books: the sections in the spine, in reading order. */
import type { Budget } from "../../budget.ts";
import { corrupt, ExtractionError } from "../../error.ts";
import { declaredCharset, decodeText } from "../../encoding.ts";
import type { Block, ExtractedDocument } from "../../model.ts";
import { child, descendants, elements, parseXml, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";
import { htmlBlocks } from "./html.ts";
import { resolvePart } from "../office/ooxml.ts";

/**
 * Reads an EPUB package.
 *
 * There's no page count, since pages depend on the reading device.
 *
 * Throws DOCUMENT_ENCRYPTED if a section in the spine is encrypted.
 */
export function readEpub(zip: ZipArchive, budget: Budget): ExtractedDocument {
  const encrypted = encryptedParts(zip);
  const name = findPackageDocument(zip);
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const root = parsePart(zip, name);
  const manifest = new Map<string, XmlElement>();
  for (const item of descendants(root, "item")) manifest.set(item.attributes["id"] ?? "", item);
  const blocks = elements(child(root, "spine"), "itemref").flatMap((reference): Block[] => {
    const item = manifest.get(reference.attributes["idref"] ?? "");
    if (item === undefined || /\bnav\b/.test(item.attributes["properties"] ?? "")) return [];
    const path = resolvePart(folder, decodePath(item.attributes["href"] ?? ""));
    if (encrypted.has(path)) {
      throw new ExtractionError("DOCUMENT_ENCRYPTED", "The book is encrypted and cannot be read");
    }
    const bytes = zip.read(path);
    return bytes === undefined ? [] : htmlBlocks(decodeText(bytes, declaredCharset(bytes)), budget);
  });
  return { blocks };
}

/**
 * Returns the paths of parts the container lists as encrypted. Even an otherwise readable book can
 * have encrypted fonts.
 */
function encryptedParts(zip: ZipArchive): ReadonlySet<string> {
  const xml = zip.text("META-INF/encryption.xml") ?? "";
  const references = xml.matchAll(/CipherReference\b[^>]*?\bURI\s*=\s*["']([^"']*)/g);
  return new Set([...references].map(([, uri]) => decodePath(uri!)));
}

function findPackageDocument(zip: ZipArchive): string {
  const container = parsePart(zip, "META-INF/container.xml");
  const declared = descendants(container, "rootfile")[0]?.attributes["full-path"];
  const name = declared ?? zip.names.find((entry) => entry.endsWith(".opf"));
  if (name === undefined || !zip.has(name)) throw corrupt("The EPUB has no package document");
  return name;
}

/**
 * Parses a part and strips the namespace prefixes, so callers can look up elements by local name.
 * Not every EPUB uses prefixes.
 */
function parsePart(zip: ZipArchive, name: string): XmlElement | undefined {
  const text = zip.text(name);
  return text === undefined ? undefined : stripPrefixes(parseXml(text, { doctype: "skip" }));
}

function stripPrefixes(element: XmlElement): XmlElement {
  return {
    ...element,
    name: element.name.replace(/^.*:/, ""),
    children: element.children.map((node) => typeof node === "string" ? node : stripPrefixes(node)),
  };
}

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href.replace(/#.*$/, ""));
  } catch (error) {
    if (error instanceof URIError) return href;
    throw error;
  }
}
