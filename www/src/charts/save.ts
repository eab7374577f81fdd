import { make } from "../dom";

/** What of an element's style a picture needs when it stands alone. */
const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"];
/** Device pixels for each of the page's, in a PNG. */
const DENSITY = 2;

/** A picture as it is shown: the SVG, with a canvas below it where there is one. */
export function toSvg(plot: Element): string | undefined {
  const svg = plot.querySelector("svg");
  const canvas = plot.querySelector("canvas");
  if (!svg && !canvas) return undefined;
  const { width, height } = (canvas ?? svg)!.getBoundingClientRect();
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(height));
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const ground = document.createElementNS(picture.namespaceURI, "rect");
  const { backgroundColor } = getComputedStyle(document.body);
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: backgroundColor })) {
    ground.setAttribute(name, value);
  }
  picture.append(ground);
  if (canvas) {
    const image = document.createElementNS(picture.namespaceURI, "image");
    const shown = { href: canvas.toDataURL(), width: String(width), height: String(height), "image-rendering": "pixelated" };
    for (const [name, value] of Object.entries(shown)) image.setAttribute(name, value);
    picture.append(image);
  }
  if (svg) picture.append(withStyles(svg, width, height));
  return new XMLSerializer().serializeToString(picture);
}

function withStyles(svg: SVGSVGElement, width: number, height: number): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [at, element] of [svg, ...svg.querySelectorAll<SVGElement>("*")].entries()) {
    const style = getComputedStyle(element);
    for (const name of KEPT) copies[at]!.setAttribute(name, style.getPropertyValue(name));
    copies[at]!.removeAttribute("class");
  }
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return copy;
}

/** A picture as the bytes of a PNG. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = make("canvas");
  canvas.width = Math.round(image.width * DENSITY);
  canvas.height = Math.round(image.height * DENSITY);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png"),
  );
}

/** Rows of cells as RFC 4180 has them. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Gives a file to the person. */
export function save(name: string, content: Blob): void {
  const link = make("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
