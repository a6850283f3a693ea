// browser.mjs BROWSER PICTURES: the viewer as a person meets it: buttons, mouse and what is on the screen. Runs that view_browser.sh
// has made are in the folders pony and knot.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chromium } from 'playwright-core';
import { hidden, open as openPage, serve, stop, until, visible } from './page.mjs';

const [program, pictures] = process.argv.slice(2);
const rope = `${process.env.PLAIT_SOURCE}/examples/rope.yaml`;

// A page that asks for nothing elsewhere.
async function open(browser, url, width = 720, height = 460) {
  const elsewhere = [], listen = (c) => c.on('page', (page) => {
    page.on('requestfailed', (r) => elsewhere.push(`failed: ${r.url()}`));
    page.on('request', (r) => { if (!r.url().startsWith(url) && !/^(data|blob):/.test(r.url())) elsewhere.push(`elsewhere: ${r.url()}`); });
  });
  const watched = { newContext: async (options) => { const c = await browser.newContext(options); listen(c); return c; } };
  const { page, trouble } = await openPage(watched, url, { width, height });
  return { page, get trouble() { return [...trouble, ...elsewhere]; } };
}

const keep = (page) => page.evaluate(() => { window.kept = plait.stage.pixels(); });
// How many pixels differ from those that were kept.
const changed = (page) => page.evaluate(() => {
  const now = plait.stage.pixels();
  let count = 0;
  for (let i = 0; i < now.length; i += 4)
    if (Math.abs(now[i] - kept[i]) + Math.abs(now[i + 1] - kept[i + 1]) + Math.abs(now[i + 2] - kept[i + 2]) > 24) count++;
  return count;
});
const check = async (page, selector, on) => page.locator(selector).setChecked(on);
const shown = (page, index) => page.waitForFunction((i) => plait.player.at === i && !plait.player.waiting, index);
const slide = async (page, index) => { await page.locator('#time').fill(String(index)); await shown(page, index); };

async function changes(page, what, least, act) {
  await keep(page);
  await act();
  await until(what, async () => await changed(page) >= least, async () => `${await changed(page)} pixels changed, expected ${least}`);
}

// ---- a run on disk -----------------------------------------------------------------------------------------------

async function plots(page) {
  const look = () => page.evaluate(() => [...document.querySelectorAll('.plot canvas')].map((c) => {
    const copy = document.createElement('canvas'); // the browser warns of reading from one that is drawn on
    [copy.width, copy.height] = [c.width, c.height];
    const pen = copy.getContext('2d', { willReadFrequently: true });
    pen.drawImage(c, 0, 0);
    const data = pen.getImageData(0, 0, c.width, c.height).data;
    let coloured = 0, sum = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 100 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40) coloured++;
      sum = (sum * 31 + data[i] + data[i + 3]) >>> 0; // an empty plot is white on white
    }
    return { coloured, sum };
  }));
  await slide(page, 0);
  const first = await look(), words = await page.locator('.plot b').allTextContents();
  assert.equal(first.length, 9);
  first.forEach(({ coloured }, i) => { // creep, balance and overlap may be nothing
    assert.ok(coloured > 80 || (i >= 4 && i <= 6), `plot ${i} shows ${coloured} coloured pixels`);
  });
  await slide(page, 4);
  const later = await look();
  later.forEach(({ sum }, i) => assert.notEqual(sum, first[i].sum, `the cursor of plot ${i} stays`));
  assert.notDeepEqual(await page.locator('.plot b').allTextContents(), words);
  // A click on a plot goes there.
  const box = await page.locator('.plot canvas').first().boundingBox();
  await page.mouse.click(box.x + 2, box.y + 20);
  await shown(page, 0);
}

async function disk(browser) {
  const { url, child } = await serve('pony'), seen = await open(browser, url), { page } = seen;
  assert.equal(await page.locator('#name').textContent(), 'pony-small');
  assert.match(await page.locator('#counts').textContent(), /^[\d,]+ rods · [\d,]+ nodes$/);
  await page.screenshot({ path: `${pictures}/pony.png` });
  const last = await page.evaluate(() => plait.player.last);
  await changes(page, 'the slider', 200, () => slide(page, last));
  await plots(page);

  await page.locator('#play').click();
  await page.waitForFunction(() => plait.player.playing && plait.player.at >= 2);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => !plait.player.playing);
  await page.locator('#speed').selectOption('0.25');
  await page.waitForFunction(() => plait.player.speed === 0.25);

  await slide(page, last);
  for (const mode of ['stretch', 'speed', 'force']) {
    await changes(page, `colour by ${mode}`, 200, () => page.locator('#colour').selectOption(mode));
    await visible(page, '#legend');
    await until(mode, async () => await page.locator('#legend-high').textContent() !== '0');
    if (mode === 'speed') await page.screenshot({ path: `${pictures}/pony-speed.png` });
  }
  await changes(page, 'colour by rod', 200, () => page.locator('#colour').selectOption('rod'));
  await hidden(page, '#legend');
  await changes(page, 'strand width', 300, () => page.locator('#width').fill('0.6'));
  await page.locator('#width').fill('0');
  await changes(page, 'colliders', 5000, () => check(page, '#show-bodies', false));
  await changes(page, 'ground', 2000, () => check(page, '#show-ground', false));
  await check(page, '#show-bodies', true);
  await check(page, '#show-ground', true);

  // The camera: left drag orbits, right drag pans, the wheel zooms.
  const eye = () => page.evaluate(() => [...plait.stage.camera.position.toArray(), ...plait.stage.orbit.target.toArray(), plait.stage.orbit.distance]);
  const drag = async (button, dx, dy) => {
    await page.mouse.move(300, 300);
    await page.mouse.down({ button });
    await page.mouse.move(300 + dx, 300 + dy, { steps: 2 });
    await page.mouse.up({ button });
  };
  const start = await eye();
  await changes(page, 'orbit', 2000, () => drag('left', 120, 30));
  const turned = await eye();
  assert.deepEqual(turned.slice(3), start.slice(3));
  await changes(page, 'pan', 2000, () => drag('right', 60, -40));
  const moved = await eye();
  assert.notDeepEqual(moved.slice(3, 6), start.slice(3, 6));
  await changes(page, 'zoom', 2000, () => page.mouse.wheel(0, -400));
  assert.ok((await eye())[6] < moved[6]);
  await page.locator('#home').click();
  await page.locator('#toggle-panel').click();
  assert.deepEqual(seen.trouble, []);
  await page.close();
  return child;
}

async function contacts(browser) {
  const { url } = await serve('knot'), seen = await open(browser, url), { page } = seen;
  await slide(page, await page.evaluate(() => plait.player.last));
  await changes(page, 'contact points', 100, () => check(page, '#show-points', true));
  await changes(page, 'force arrows', 60, () => check(page, '#show-arrows', true));
  await page.screenshot({ path: `${pictures}/knot.png` });
  await changes(page, 'no contact points', 100, () => check(page, '#show-points', false));
  assert.deepEqual(seen.trouble, []);
  await page.close();
}

// ---- a live simulation -------------------------------------------------------------------------------------------

// Where the server has the last node of the rope, and where that is on the screen.
const tip = (page) => page.evaluate(() => {
  plait.stage.draw();
  const f = plait.frame, i = f.nodes - 1, p = [0, 1, 2].map((k) => f.lo[k] + (f.hi[k] - f.lo[k]) * f.node[4 * i + k] / 65535);
  const s = new THREE.Vector3(...p).project(plait.stage.camera);
  return { p, x: (0.5 + 0.5 * s.x) * innerWidth, y: (0.5 - 0.5 * s.y) * innerHeight, time: f.time };
});

async function live(browser) {
  const { url, child } = await serve('--live', rope, '-j', '1'), seen = await open(browser, url, 640, 400), { page } = seen;
  await check(page, '#show-ground', false); // without a graphics card every pixel takes its time
  await page.waitForFunction(() => plait.live.state.step > 10);
  const before = await tip(page);
  await keep(page);
  await page.mouse.move(before.x, before.y);
  await page.mouse.down();
  await page.mouse.move(before.x - 60, before.y - 90, { steps: 4 });
  let held;
  await until('it follows', async () => { held = await tip(page); return Math.hypot(held.x - (before.x - 60), held.y - (before.y - 90)) <= 15; },
    () => `the end is at ${held?.x}, ${held?.y}, dragged from ${before.x}, ${before.y}`);
  await page.screenshot({ path: `${pictures}/live.png` });
  assert.ok(Math.hypot(...held.p.map((v, k) => v - before.p[k])) > 0.03, 'the server has moved the end');
  await until('the picture changes', async () => await changed(page) > 100);
  const other = await open(browser, url, 400, 120); // watches too, and is closed in the middle of it
  await other.page.close();
  assert.deepEqual(other.trouble, []);
  // Kept hold of when the mouse lets go, until the button.
  await page.keyboard.press('k');
  await page.mouse.up();
  await page.waitForFunction(() => plait.live.hands.size === 1 && !plait.live.drag);
  await page.locator('#drop').click();
  await page.waitForFunction(() => plait.live.hands.size === 0);

  await page.locator('#play').click();
  await page.waitForFunction(() => plait.live.state.paused);
  await page.locator('#reset').click();
  await page.waitForFunction(() => plait.live.state.step === 0);
  await page.locator('#step').click();
  await page.waitForFunction(() => plait.live.state.step === 1 && plait.live.state.paused);
  await page.locator('#live-rate', { hasText: 'paused' }).waitFor();
  await page.locator('#play').click();
  await page.waitForFunction(() => plait.live.state.step > 20 && plait.live.state.rate > 0);
  await page.locator('#live-rate', { hasText: 'simulated s per s' }).waitFor();
  assert.deepEqual(seen.trouble, []);
  // The server ends while somebody watches: the page says so.
  child.kill('SIGINT');
  await once(child, 'exit');
  await page.locator('#message').waitFor({ state: 'visible' });
  assert.equal(child.exitCode, 0);
  await page.close();
}

const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
try {
  const child = await disk(browser);
  child.kill('SIGINT');
  await contacts(browser);
  await live(browser);
} finally {
  await browser.close();
  stop();
}
