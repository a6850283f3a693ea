// act.mjs BROWSER PICTURES: the mouse pins, cuts and moves colliders; a run is recorded; scenes, strands of files, two runs. view_act.sh has
// made what is opened here.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const [program, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const children = [];

async function serve(...words) {
  const child = spawn(process.env.PLAIT, ['view', '--port', '0', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return line;
}

async function open(browser, url, ready = () => window.plait?.frame, width = 640, height = 420) {
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage(), trouble = [];
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type()) && !/GPU stall|swiftshader/i.test(m.text())) trouble.push(m.text()); });
  page.on('pageerror', (e) => trouble.push(e.message));
  page.setDefaultTimeout(300000); // a busy machine is no mistake
  await page.goto(url);
  await page.waitForFunction(ready);
  await page.waitForTimeout(500); // keys are heard soon after the first frame
  return { page, trouble, context };
}

async function accessible(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  const serious = found.violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`);
  assert.deepEqual(serious, [], what);
}

// Where a node of a strand is on the screen: share 0 .. 1 along it; in the world with `world`.
const spot = (page, rod, share, world = false) => page.evaluate(([r, s, w]) => {
  const f = plait.frame, { first } = plait.picked.rods, i = first[r] + Math.round(s * (first[r + 1] - 1 - first[r]));
  const p = [0, 1, 2].map((k) => f.lo[k] + (f.hi[k] - f.lo[k]) * f.node[4 * i + k] / 65535);
  if (w) return p;
  const q = new THREE.Vector3(...p).project(plait.stage.camera);
  return [(0.5 + 0.5 * q.x) * innerWidth, (0.5 - 0.5 * q.y) * innerHeight];
}, [rod, share, world]);
const step = (page, n) => page.evaluate((k) => { window.until = plait.live.state.step + k; }, n).then(() => page.waitForFunction(() => plait.live.state.step >= window.until));

// A scene waits at its start; play starts it.
async function pinned(browser) {
  const { page, trouble, context } = await open(browser, await serve('act.yaml', '-j', '1'));
  assert.ok(await page.evaluate(() => plait.live.state.paused && plait.live.state.step === 0), 'it does not wait');
  await page.locator('#show-ground').setChecked(false);
  await page.keyboard.press('4');
  const tool = () => page.locator('#tool').inputValue();
  for (let k = 0; k < 200 && await tool() === 'pull'; k++) { // after a click on a box; keys are heard soon after the first frame
    await page.keyboard.press('t');
    await page.waitForTimeout(50);
  }
  assert.equal(await tool(), 'pin');
  const tip = await spot(page, 2, 1, true);
  await page.keyboard.press('3'); // from the side where tips are apart
  await page.keyboard.press('1');
  await page.mouse.click(...await spot(page, 2, 1));
  assert.equal(await page.evaluate(() => plait.live.hands.size), 1);
  await page.waitForFunction(() => /tool=pin/.test(location.hash));
  await page.keyboard.press('Space');
  await step(page, 60);
  const held = await spot(page, 2, 1, true), others = await spot(page, 0, 1, true);
  assert.ok(Math.abs(held[2] - tip[2]) < 0.03 && others[2] < tip[2] - 0.03, `pinned ${held}, was ${tip}, free ${others}`);
  await accessible(page, 'tools');
  await page.screenshot({ path: `${pictures}/pinned.png` });
  assert.deepEqual(trouble, []);
  await context.close();
}

async function cutAndMoved(browser) {
  const { page, trouble, context } = await open(browser, await serve('--live', 'act.yaml', '-j', '1'));
  await page.locator('#show-ground').setChecked(false);
  await page.keyboard.press('1');
  await step(page, 5);
  // A collider goes where the mouse takes it.
  await page.locator('#tool').selectOption('move');
  const at = () => page.evaluate(() => [...plait.frame.collider.subarray(0, 3)]);
  const screen = await page.evaluate(() => { const q = new THREE.Vector3(...plait.frame.collider.subarray(0, 3)).project(plait.stage.camera);
    return [(0.5 + 0.5 * q.x) * innerWidth, (0.5 - 0.5 * q.y) * innerHeight]; });
  const before = await at();
  await page.mouse.move(...screen);
  await page.mouse.down();
  await page.mouse.move(screen[0], screen[1] + 60, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((z) => plait.frame.collider[2] < z - 0.02, before[2]);
  const moved = await at();
  assert.ok(Math.hypot(moved[0] - before[0], moved[1] - before[1]) < 0.02, `${before} to ${moved}`);
  // A strand that is cut off falls.
  await page.locator('#tool').selectOption('cut');
  const root = await spot(page, 0, 0, true);
  await page.mouse.click(...await spot(page, 0, 0.5));
  await page.waitForFunction((z) => { const f = plait.frame; return f.lo[2] < z - 0.35; }, root[2]);
  await page.screenshot({ path: `${pictures}/cut.png` });
  // Back to the start everything is as it was.
  await page.locator('#reset').click();
  await page.waitForFunction((z) => Math.abs(plait.frame.collider[2] - z) < 1e-6 && plait.frame.lo[2] > 0, before[2]);
  assert.deepEqual(trouble, []);
  await context.close();
}

async function recorded(browser) {
  const { page, trouble, context } = await open(browser, await serve('--live', 'act.yaml', '-j', '1', '-o', 'recorded'));
  await page.locator('#show-ground').setChecked(false);
  await step(page, 3);
  await page.locator('#tune-gravity').fill('2');
  await page.waitForFunction(() => plait.live.state.gravity === 2);
  await page.locator('#record').click(); // not with other gravity
  await page.waitForFunction(() => /sliders/.test(document.getElementById('message').textContent));
  await page.locator('#untune').click();
  await page.waitForFunction(() => plait.live.state.gravity === 1);
  await page.keyboard.press('r'); // after a click on a button
  await page.waitForFunction(() => plait.live.state.recording && document.getElementById('record').getAttribute('aria-pressed') === 'true');
  await page.locator('#tune-wind').fill('5'); // refused while it records
  await page.waitForFunction(() => /only hands/.test(plait.live.state.note) && plait.live.state.wind === 0);
  await page.waitForFunction(() => plait.live.state.time > 0.15);
  await page.locator('#record').click();
  await page.waitForFunction(() => !plait.live.state.recording && /--resume -o recorded/.test(plait.live.state.note));
  assert.deepEqual(trouble, []);
  await context.close();
}

async function strands(browser) {
  const { page, trouble, context } = await open(browser, await serve('strands.hair'));
  assert.deepEqual(await page.evaluate(() => [plait.info.fibres, plait.player.times.length]), [3, 1]);
  assert.ok(await page.evaluate(() => { const p = plait.stage.pixels(); let n = 0; for (let i = 0; i < p.length; i += 4) n += p[i] > 90; return n; }) > 50, 'nothing is drawn');
  await accessible(page, 'strands');
  assert.deepEqual(trouble, []);
  await context.close();
}

async function beside(browser) {
  const ready = () => [0, 1].every((i) => window.beside?.page(i)?.frame);
  const { page, trouble, context } = await open(browser, await serve('first', 'second'), ready, 1000, 460);
  const [a, b] = [page.frame({ url: /\/a\// }), page.frame({ url: /\/b\// })];
  await a.locator('#toggle-panel').focus();
  await page.keyboard.press('5');
  await page.waitForFunction(() => beside.page(0).stage.orbit.state.join() === beside.page(1).stage.orbit.state.join());
  await a.locator('#time').fill('4');
  await page.waitForFunction(() => beside.page(0).player.at === 4 && beside.page(1).player.at === 4);
  assert.notDeepEqual(await a.evaluate(() => plait.frame.lo), await b.evaluate(() => plait.frame.lo), 'the same run twice');
  await page.locator('#together').uncheck();
  await b.locator('#toggle-panel').focus();
  await page.keyboard.press('1');
  await page.waitForFunction(() => beside.page(0).stage.orbit.state.join() !== beside.page(1).stage.orbit.state.join() && beside.leader === 1);
  await page.screenshot({ path: `${pictures}/beside.png` });
  await accessible(page, 'two runs');
  assert.deepEqual(trouble, []);
  await context.close();
}

const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
try {
  const only = process.env.ONLY;
  for (const [name, test] of Object.entries({ pinned, cutAndMoved, recorded, strands, beside }))
    if (!only || only === name) { await test(browser); console.log(name); }
  console.log('all is well');
} finally {
  await browser.close();
  for (const child of children) child.kill();
}
