/** Reads parts, relationships and declared counts in DOCX, PPTX and XLSX packages. */
import { child, elements, parseXml, textContent, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";

/** A relationship from a part to another part or an external address. */
export interface Relationship {
  readonly type: string;
  /** A part name, or an address if `external` is set. */
  readonly target: string;
  readonly external: boolean;
}

/** Parses a part as XML. Returns `undefined` if it doesn't exist. */
export function xmlPart(zip: ZipArchive, name: string): XmlElement | undefined {
  const text = zip.text(name);
  return text === undefined ? undefined : parseXml(text);
}

/** Returns part `name`'s relationships, keyed by id. A missing or empty list isn't an error. */
export function relationships(zip: ZipArchive, name: string): Map<string, Relationship> {
  const slash = name.lastIndexOf("/");
  const folder = name.slice(0, slash + 1);
  const root = xmlPart(zip, `${folder}_rels/${name.slice(slash + 1)}.rels`);
  const relations = new Map<string, Relationship>();
  for (const element of elements(root)) {
    const { Id, Type, Target, TargetMode } = element.attributes;
    if (Id === undefined || Target === undefined) continue;
    const external = TargetMode === "External";
    relations.set(Id, {
      type: (Type ?? "").replace(/^.*\//, ""),
      target: external ? Target : resolvePart(folder, Target),
      external,
    });
  }
  return relations;
}

/** Returns the package's main document part. Defaults to `fallback`. */
export function mainPart(zip: ZipArchive, fallback: string): string {
  for (const { type, target } of relationships(zip, "").values()) {
    if (type === "officeDocument" && zip.has(target)) return target;
  }
  return fallback;
}

/** Returns the first part related by `type`, or `undefined` if there is none. */
export function relatedPart(
  relations: ReadonlyMap<string, Relationship>,
  type: string,
): string | undefined {
  for (const relation of relations.values()) {
    if (relation.type === type && !relation.external) return relation.target;
  }
  return undefined;
}

/** Resolves `target` against `folder` inside the package. */
export function resolvePart(folder: string, target: string): string {
  const segments: string[] = target.startsWith("/") ? [] : folder.split("/").filter(Boolean);
  for (const segment of target.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.join("/");
}

/**
 * Returns a count declared in the properties by the authoring program, or `undefined` if there
 * isn't one.
 */
export function declaredCount(zip: ZipArchive, name: "Pages" | "Slides"): number | undefined {
  const count = Number.parseInt(textContent(child(xmlPart(zip, "docProps/app.xml"), name)), 10);
  return Number.isInteger(count) && count > 0 ? count : undefined;
}

/** Checks whether an on/off property is present and not turned off. */
export function isOn(property: XmlElement | undefined): boolean {
  if (property === undefined) return false;
  const value = property.attributes["w:val"] ?? property.attributes["val"];
  return value === undefined || !/^(?:0|false|off|none)$/.test(value);
}

/** Returns alternative text written by an author, or an empty string if a program generated it. */
export function meaningfulAltText(text: string | undefined): string {
  const alt = (text ?? "").replace(/Description automatically generated.*$/is, "").trim();
  if (
    /^(?:picture|image|graphic|grafik|bild|chart|object|google shape|shape)?[\s:;\d-]*$/i.test(alt)
  ) {
    return "";
  }
  return /^\S+\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|webp|svg)$/i.test(alt) ? "" : alt;
}
