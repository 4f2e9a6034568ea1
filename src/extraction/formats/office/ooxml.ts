/** What DOCX, PPTX and XLSX share: parts, relationships, pages declared in the properties. */
import { child, elements, parseXml, textContent, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";

/** A relationship of a part to another part or to the outside. */
export interface Relationship {
  readonly type: string;
  /** A part name, or the address when `external`. */
  readonly target: string;
  readonly external: boolean;
}

/** A part as XML, or undefined when the package has none of that name. */
export function xmlPart(zip: ZipArchive, name: string): XmlElement | undefined {
  const text = zip.text(name);
  return text === undefined ? undefined : parseXml(text);
}

/** Relationships of the part `name` by id. A missing or empty list is no error. */
export function relationships(zip: ZipArchive, name: string): Map<string, Relationship> {
  const slash = name.lastIndexOf("/");
  const folder = name.slice(0, slash + 1);
  const root = xmlPart(zip, `${folder}_rels/${name.slice(slash + 1)}.rels`);
  const found = new Map<string, Relationship>();
  for (const element of elements(root)) {
    const { Id, Type, Target, TargetMode } = element.attributes;
    if (Id === undefined || Target === undefined) continue;
    const external = TargetMode === "External";
    found.set(Id, {
      type: (Type ?? "").replace(/^.*\//, ""),
      target: external ? Target : resolvePart(folder, Target),
      external,
    });
  }
  return found;
}

/** The part that the package names as its main document. */
export function mainPart(zip: ZipArchive, fallback: string): string {
  for (const { type, target } of relationships(zip, "").values()) {
    if (type === "officeDocument" && zip.has(target)) return target;
  }
  return fallback;
}

/** The first part of a relationship type. */
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

/** A count that the writing program left in the properties (`Pages`, `Slides`). */
export function declaredCount(zip: ZipArchive, name: "Pages" | "Slides"): number | undefined {
  const count = Number.parseInt(textContent(child(xmlPart(zip, "docProps/app.xml"), name)), 10);
  return Number.isInteger(count) && count > 0 ? count : undefined;
}

/** Whether an on/off property is set: present and not switched off. */
export function isOn(property: XmlElement | undefined): boolean {
  if (property === undefined) return false;
  const value = property.attributes["w:val"] ?? property.attributes["val"];
  return value === undefined || !/^(?:0|false|off|none)$/.test(value);
}

/** Alternative text worth reading; what programs fill in by themselves is not. */
export function meaningfulAltText(text: string | undefined): string {
  const alt = (text ?? "").replace(/Description automatically generated.*$/is, "").trim();
  if (
    /^(?:picture|image|graphic|grafik|bild|chart|object|google shape|shape)?[\s:;\d-]*$/i.test(alt)
  ) {
    return "";
  }
  return /^\S+\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|webp|svg)$/i.test(alt) ? "" : alt;
}
