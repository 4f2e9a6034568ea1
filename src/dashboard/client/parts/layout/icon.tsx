/** Line icons in the colour of the surrounding text. */

const ICON_PATHS = {
  overview: "M2.5 9.5h4v4h-4zM9.5 2.5h4v11h-4zM2.5 2.5h4v4h-4z",
  memory: "M3 3.2h10v7.3H8.2L5 13.2v-2.7H3zM5.6 6h4.8M5.6 8h3",
  document: "M4 1.8h5.2L12 4.6v9.6H4zM9 1.8v3h3M6 8h4M6 10.6h4",
  entity: "M8 7.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zM3 13.6c.4-2.6 2.4-4 5-4s4.6 1.4 5 4",
  view:
    "M1.6 8S4 3.6 8 3.6 14.4 8 14.4 8 12 12.4 8 12.4 1.6 8 1.6 8zM8 9.9a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8z",
  operation: "M3 4.5h10M3 8h10M3 11.5h6M11.5 10l1.5 1.5-1.5 1.5",
  event: "M9 1.8 3.6 9h4L7 14.2 12.4 7h-4z",
  transfer: "M5 13V3.4M5 3.4 2.6 6M5 3.4 7.4 6M11 3v9.6M11 12.6 8.6 10M11 12.6l2.4-2.6",
  key: "M5.4 11.4a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.3 8.4h5.9v2.4M11.6 8.4v2",
  link:
    "M6.6 9.4l2.8-2.8M7 4.6l1.3-1.3a2.6 2.6 0 0 1 3.7 3.7l-1.3 1.3M9 11.4l-1.3 1.3A2.6 2.6 0 0 1 4 9l1.3-1.3",
  project: "M2 4.4h4.2l1.4 1.5H14v6.9H2z",
  health: "M1.8 8.4h3L6.6 4l3 8.4L11.4 8h2.8",
  search: "M7 11.4A4.4 4.4 0 1 0 7 2.6a4.4 4.4 0 0 0 0 8.8zM10.3 10.3l3.4 3.4",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3.2 8.6l3 3 6.6-7",
  copy: "M5.6 5.6h7.6v7.6H5.6zM10.4 5.4V2.8H2.8v7.6h2.6",
  chevron: "M6 3.6 10.4 8 6 12.4",
  down: "M3.8 6.2 8 10.4l4.2-4.2",
  menu: "M2.4 4.4h11.2M2.4 8h11.2M2.4 11.6h11.2",
  sun:
    "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.6v1.6M8 12.8v1.6M1.6 8h1.6M12.8 8h1.6M3.5 3.5l1.1 1.1M11.4 11.4l1.1 1.1M12.5 3.5l-1.1 1.1M4.6 11.4l-1.1 1.1",
  moon: "M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z",
  auto: "M8 2.2a5.8 5.8 0 1 0 0 11.6zM8 2.2a5.8 5.8 0 0 1 0 11.6",
  leave: "M9.4 2.6H3.2v10.8h6.2M6.8 8h7M11.4 5.6 13.8 8l-2.4 2.4",
  warning: "M8 2.4 14.4 13H1.6zM8 6.6v3M8 11.2v.2",
  retry: "M13 8a5 5 0 1 1-1.5-3.6M13 2.4v2.8h-2.8",
  trash: "M2.8 4.2h10.4M6.2 4V2.6h3.6V4M4.2 4.4l.6 9h6.4l.6-9M6.8 7v4M9.2 7v4",
  upload: "M8 10.6V3M8 3 5 6M8 3l3 3M2.8 10.4v2.8h10.4v-2.8",
  download: "M8 2.8v7.6M8 10.4 5 7.4M8 10.4l3-3M2.8 10.4v2.8h10.4v-2.8",
  clock: "M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM8 4.6V8l2.4 1.6",
  edit: "M3 13l.6-2.8 7-7 2.2 2.2-7 7z",
} as const;

export type IconName = keyof typeof ICON_PATHS;

/** Renders an icon. Hidden from screen readers, which already read the text next to it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
