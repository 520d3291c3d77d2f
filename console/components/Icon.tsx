/** Lines of 24 × 24, drawn in the color of the text. */
const paths = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM14 4v3h6V4zM4 17v3h6v-3z',
  platforms: 'M12 3l9 5-9 5-9-5zM3 12l9 5 9-5M3 16l9 5 9-5',
  users:
    'M16 20v-1a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4v1M9.500 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M21 20v-1a4 4 0 0 0-3-3.870M16 4.130a3.500 3.500 0 0 1 0 6.740',
  library: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9.500h.01',
  map: 'M9 4L3 6v14l6-2 6 2 6-2V4l-6 2zM9 4v14M15 6v14',
  circle:
    'M18.250 9.620a8 8 0 1 1-3.870-3.870M18.960 7.340a2.300 2.300 0 1 1-4.600 0a2.300 2.300 0 0 1 4.600 0M11 13l4-4',
  camera: 'M4 8h4l2-3h4l2 3h4v11H4zM12 16.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7',
  target: 'M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12M12 3v6M12 15v6M3 12h6M15 12h6',
  statistics: 'M4 20V10M10 20V4M16 20v-7M20 20H3',
  more: 'M12 5.500h.01M12 12h.01M12 18.500h.01',
  webhook: 'M4 12h9M10 8l4 4-4 4M17 5h3v14h-3',
  audit: 'M5 3h10l4 4v14H5zM9 9h6M9 13h6M9 17h6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  out: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M4.930 4.930l1.410 1.410M17.660 17.660l1.410 1.410M2 12h2M20 12h2M4.930 19.070l1.410-1.410M17.660 6.340l1.410-1.410',
  warning: 'M12 4L2.500 20h19zM12 10v4M12 17h.01',
  check: 'M5 12l5 5 9-10',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  link: 'M10 14a4 4 0 0 0 6 .500l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6-.500l-3 3a4 4 0 0 0 6 6l1.500-1.500',
  chevron: 'M9 6l6 6-6 6',
  folder: 'M3 6h6l2 2h10v11H3z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  restore: 'M4 9h10a5 5 0 0 1 0 10H8M8 5L4 9l4 4',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v4h16v-4',
  download: 'M12 4v12M7 11l5 5 5-5M4 20h16',
  move: 'M3 6h6l2 2h10v11H3zM9 13h6M13 11l2 2-2 2',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  filter: 'M4 6h16M7 12h10M10 18h4',
  back: 'M15 6l-6 6 6 6',
  zoomIn: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4M11 8v6M8 11h6',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5M12 8h.01',
  share: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  rotate: 'M20 12a8 8 0 1 1-2.500-5.800M20 3v5h-5',
  fit: 'M4 9V4h5M20 15v5h-5M9 9h6v6H9z',
  expand: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5',
  shrink: 'M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5',
  beside: 'M4 5h7v14H4zM13 5h7v14h-7z',
  divide: 'M4 5h16v14H4zM12 3v18M9 10l-2 2 2 2M15 10l2 2-2 2',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  pan: 'M12 3v18M3 12h18M9.500 5.500L12 3l2.500 2.500M9.500 18.500L12 21l2.500-2.500M5.500 9.500L3 12l2.500 2.500M18.500 9.500L21 12l-2.500 2.500',
  arrow: 'M5 19L19 5M9 5h10v10',
  rectangle: 'M4 6h16v12H4z',
  ellipse: 'M12 18c5 0 9-2.700 9-6s-4-6-9-6-9 2.700-9 6 4 6 9 6',
  text: 'M5 8V5h14v3M12 5v14M9 19h6',
  undo: 'M9 14L4 9l5-5M4 9h10a5.500 5.500 0 0 1 0 11h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a5.500 5.500 0 0 0 0 11h3',
  clear: 'M8 20h12M4 15l9-9 6 6-7.500 8H8zM9.500 9.500l6 6',
  key: 'M8 15a4 4 0 1 0 0-8 4 4 0 0 0 0 8M11.500 9.500L20 9.500M17 9.500v4M20 9.500v3',
  phone: 'M7 3h10v18H7zM11 18h2',
  hold: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  zoomOut: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4M8 11h6',
} as const;

export type IconName = keyof typeof paths;

/** Decorates the text beside it: screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
