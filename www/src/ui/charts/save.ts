import { make } from "../dom";

/** The style properties that a stand-alone picture keeps. */
const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "paint-order", "stroke-linejoin"];
/** Device pixels for each of the page's, in a PNG. */
const DENSITY = 2;
/** Between a legend's sample and its words. */
const WORD_GAP = 7;

/** A picture as it is shown: its SVGs and canvases and the words of its legends, each where it stands. */
export function toSvg(plot: Element, { title, summary }: { title: string; summary: string }): string | undefined {
  const layers = [...plot.querySelectorAll<SVGSVGElement | HTMLCanvasElement>("svg, canvas")].filter(
    (layer) => !layer.parentElement?.closest("svg") && layer.getClientRects().length > 0,
  );
  if (layers.length === 0) return undefined;
  const words = [...plot.querySelectorAll(".chart-legend li")].filter((item) => item.getClientRects().length > 0);
  const boxes = [...layers, ...words].map((one) => one.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left;
  const height = Math.max(...boxes.map((box) => box.bottom)) - top;
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
  for (const [name, text] of Object.entries({ title, desc: summary })) picture.append(svgText(name, text));
  picture.append(ground);
  for (const [at, layer] of layers.entries()) {
    const copy = layer instanceof SVGSVGElement ? withStyles(layer) : asImage(layer);
    const box = boxes[at]!;
    for (const [name, value] of Object.entries({ x: box.left - left, y: box.top - top, width: box.width, height: box.height })) {
      copy.setAttribute(name, String(value));
    }
    picture.append(copy);
  }
  for (const [at, item] of words.entries()) {
    const text = svgText("text", item.textContent);
    const box = boxes[layers.length + at]!;
    const { right } = item.querySelector("svg")!.getBoundingClientRect();
    const { color, fontFamily, fontSize } = getComputedStyle(item);
    const place = { x: right - left + WORD_GAP, y: box.top - top + box.height / 2, "dominant-baseline": "central" };
    for (const [name, value] of Object.entries({ ...place, fill: color, "font-family": fontFamily, "font-size": fontSize })) {
      text.setAttribute(name, String(value));
    }
    picture.append(text);
  }
  return new XMLSerializer().serializeToString(picture);
}

function svgText(name: string, text: string): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  element.textContent = text;
  return element;
}

function asImage(canvas: HTMLCanvasElement): SVGElement {
  const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
  image.setAttribute("href", canvas.toDataURL());
  image.setAttribute("preserveAspectRatio", "none");
  return image;
}

function withStyles(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [at, element] of [svg, ...svg.querySelectorAll<SVGElement>("*")].entries()) {
    const style = getComputedStyle(element);
    for (const name of KEPT) copies[at]!.setAttribute(name, style.getPropertyValue(name));
    copies[at]!.removeAttribute("class");
  }
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
