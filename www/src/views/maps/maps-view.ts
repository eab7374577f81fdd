import { onNewColours } from "../../ui/colours";
import { make } from "../../ui/dom";
import type { Context, View } from "../view";
import { BoundsChart } from "./bounds-chart";
import { Controls } from "./controls";
import { DocumentsSection } from "./documents-section";
import { FiveMaps } from "./five-maps";
import { MainMap } from "./main-map";
import { ReadingPanel } from "./reading-panel";
import { text } from "./strings";
import { ZeroFigure } from "./zero-figure";
import "./maps.css";

/** Gradient maps: how the similarity changes as the query vector moves. */
export function mount(root: HTMLElement, context: Context): View {
  const { store, lab } = context;
  const controls = new Controls(store);
  const map = new MainMap(context);
  const reading = new ReadingPanel(lab);
  const five = new FiveMaps(context);
  const bounds = new BoundsChart(lab);
  const zero = new ZeroFigure(context);
  const documents = new DocumentsSection(context, () => (map.dots = documents.dots));

  const beside = make("div", "maps-main");
  beside.append(map.element, reading.element);
  const figures = make("div", "figures");
  figures.append(bounds.element, zero.element);
  root.append(
    make("h2", "", text.title),
    make("p", "", text.introduction),
    controls.element,
    beside,
    documents.element,
    five.element,
    figures,
  );
  const updateMaps = () => {
    for (const one of [map, five, zero]) one.update();
  };
  onNewColours(updateMaps);

  return {
    update() {
      const { query, document, reach } = store.state.maps;
      controls.update();
      documents.update();
      map.dots = documents.dots;
      updateMaps();
      reading.update(query, document, Number(reach), context.epsilon());
      bounds.update(document, Number(reach), context.epsilon());
    },
    leave() {
      documents.leave();
    },
  };
}
