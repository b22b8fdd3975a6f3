// Many messages at once: while the run plays they are dots on a canvas over the map; when it stands
// still they are part of the map, for pictures, paper and whoever looks closely.

import assert from "node:assert/strict";
import { crowd } from "../bench/crowd.mjs";
import { becomes, call, drawn, exhibit, ready, stage } from "./harness.mjs";

const pages = {
  "/crowd.json": JSON.stringify(crowd(400)),
  "/crowd.html": `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A crowd</title>
    <link rel="icon" href="data:,"><script src="/courses/inflight/element.js" async></script></head>
    <body><in-flight src="/crowd.json" loading="eager"></in-flight></body></html>`,
};
const site = stage({ pages });

/** What the map in sight shows: dots of the map, and painted pixels of the canvas by colour. */
const shows = (page) =>
  exhibit(page).evaluate((element) => {
    const root = element.shadowRoot;
    const map = [...root.querySelectorAll("svg.map")].find((map) => map.clientWidth > 0);
    const canvas = root.querySelector("canvas");
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const box = map.getBoundingClientRect();
    const own = canvas.getBoundingClientRect();
    const colours = new Set();
    let painted = 0;
    let astray = 0;
    for (let place = 0; place < data.length; place += 4) {
      if (data[place + 3] !== 255) continue;
      painted += 1;
      colours.add(`${data[place]} ${data[place + 1]} ${data[place + 2]}`);
      const x = own.left + (((place / 4) % width) * own.width) / width;
      const y = own.top + (Math.floor(place / 4 / width) * own.height) / height;
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) astray += 1;
    }
    const paths = [...map.querySelectorAll(".crowd")].map((path) => path.getAttribute("d") ?? "");
    return { dots: paths.join("").split("M").length - 1, painted, colours: colours.size, astray };
  });

for (const width of [360, 1440]) {
  site.test(`a crowd moves on a canvas and stands in the map, ${width} px`, async ({ open, site }) => {
    const page = await open(`${site.origin}/crowd.html`, { width });
    await ready(page);
    await call(page, "seek", "26s");
    await drawn(page);
    const still = await shows(page);
    assert.ok(still.dots > 100 && still.painted === 0, JSON.stringify(still));
    await call(page, "play");
    await becomes(() => shows(page), ({ dots, painted }) => dots === 0 && painted > 100 * 20);
    const moving = await shows(page);
    assert.equal(moving.astray, 0, "dots lie on the map");
    assert.ok(moving.colours >= 8, `${moving.colours} keys have a colour each`);
    await call(page, "pause");
    await becomes(() => shows(page), ({ dots, painted }) => dots > 100 && painted === 0);
  });
}

site.test("a crowd that comes again is seen at once", async ({ open, site }) => {
  const page = await open(`${site.origin}/crowd.html`, { width: 1440 });
  await ready(page);
  await call(page, "seek", "26s");
  await call(page, "play");
  await becomes(() => shows(page), ({ painted }) => painted > 0);
  // Before there is a crowd there is no canvas, and afterwards it is another.
  await call(page, "seek", "1s");
  await drawn(page);
  await becomes(() => exhibit(page).locator("canvas").count(), 0);
  await call(page, "seek", "26s");
  await drawn(page);
  const { dots, painted } = await shows(page);
  assert.ok(dots > 100 || painted > 100 * 20, JSON.stringify({ dots, painted }));
});

site.test("a picture of a crowd that moves has its dots", async ({ open, site }) => {
  const page = await open(`${site.origin}/crowd.html`, { width: 1440 });
  await ready(page);
  await call(page, "seek", "26s");
  await exhibit(page).getByRole("button", { name: "More", exact: true }).click();
  await call(page, "play");
  await becomes(() => shows(page), ({ painted }) => painted > 0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    exhibit(page).getByRole("button", { name: "This view (SVG)", exact: true }).click(),
  ]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const dots = Buffer.concat(chunks).toString().match(/M[\d.]+ [\d.]+h0/g) ?? [];
  assert.ok(dots.length > 100, `${dots.length} dots`);
});
