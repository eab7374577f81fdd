/**
 * The arguments that start Chromium with WebGPU: "default" for the computer's own graphics card, which a browser without a
 * screen reaches by Vulkan; "swiftshader" has the processor stand in for one, and says nothing about a card.
 */
export const withGpu = (gpu) => [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--enable-unsafe-webgpu",
  ...(gpu === "default"
    ? ["--enable-features=Vulkan", "--use-angle=vulkan", "--disable-vulkan-surface", "--ignore-gpu-blocklist"]
    : [`--use-webgpu-adapter=${gpu}`]),
];

/** The graphics card that a page of the browser is offered, as far as the browser reveals it. */
export const cardOf = (page) =>
  page.evaluate(async () => {
    const { vendor, architecture, description } = (await navigator.gpu?.requestAdapter())?.info ?? {};
    return [vendor, architecture, description].filter(Boolean).join(" ") || "none";
  });
