// act.mjs BROWSER PICTURES: the mouse pins, cuts and moves colliders; a run is recorded; scenes, strands of files, two runs. view_act.sh has
// made what is opened here.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { accessible, open, serve, spot, stop, until } from './page.mjs';

const [program, pictures] = process.argv.slice(2);
const small = { width: 640, height: 420 };
const step = (page, n) => page.evaluate((k) => { window.until = plait.live.state.step + k; }, n).then(() => page.waitForFunction(() => plait.live.state.step >= window.until));
// It is paused, and its last frame is there.
async function rests(page) {
  await page.waitForFunction(() => plait.live.state.paused);
  await page.waitForFunction(() => Math.abs(plait.frame.time - plait.live.state.time) < 1e-9);
}

// A scene waits at its start; play starts it.
async function pinned(browser) {
  const { page, trouble, context } = await open(browser, (await serve('act.yaml', '-j', '1')).url, small);
  await page.waitForFunction(() => 'paused' in plait.live.state);
  assert.ok(await page.evaluate(() => plait.live.state.paused && plait.live.state.step === 0), 'it does not wait');
  await page.locator('#show-ground').setChecked(false);
  await page.keyboard.press('4');
  await page.keyboard.press('t'); // after a click on a box
  await page.waitForFunction(() => document.getElementById('tool').value === 'pin');
  const tip = await spot(page, 2, 1, true);
  await page.keyboard.press('3'); // from the side where tips are apart
  await page.keyboard.press('1');
  await page.mouse.click(...await spot(page, 2, 1));
  await page.waitForFunction(() => plait.live.hands.size === 1);
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
  const { page, trouble, context } = await open(browser, (await serve('--live', 'act.yaml', '-j', '1')).url, small);
  await page.locator('#show-ground').setChecked(false);
  await page.keyboard.press('1');
  await step(page, 5);
  // A collider goes where the mouse takes it.
  await page.locator('#tool').selectOption('move');
  const at = () => page.evaluate(() => [...plait.frame.collider.subarray(0, 3)]);
  const screen = await page.evaluate(() => { plait.stage.draw(); const q = new THREE.Vector3(...plait.frame.collider.subarray(0, 3)).project(plait.stage.camera);
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
  await page.locator('#play').click(); // what moves is hard to hit
  await rests(page);
  const root = await spot(page, 0, 0, true);
  await page.mouse.click(...await spot(page, 0, 0.5));
  await page.locator('#play').click();
  await page.waitForFunction((z) => { const f = plait.frame; return f.lo[2] < z - 0.35; }, root[2]);
  await page.screenshot({ path: `${pictures}/cut.png` });
  // Back to the start everything is as it was.
  await page.locator('#reset').click();
  await page.waitForFunction((z) => Math.abs(plait.frame.collider[2] - z) < 1e-6 && plait.frame.lo[2] > 0, before[2]);
  assert.deepEqual(trouble, []);
  await context.close();
}

async function recorded(browser) {
  const { page, trouble, context } = await open(browser, (await serve('--live', 'act.yaml', '-j', '1', '-o', 'recorded')).url, small);
  await page.locator('#show-ground').setChecked(false);
  await step(page, 3);
  await page.locator('#tune-gravity').fill('2');
  await page.waitForFunction(() => plait.live.state.gravity === 2);
  await page.locator('#record').click(); // not with other gravity
  await page.waitForFunction(() => /sliders/.test(plait.live.state.note));
  await page.locator('#untune').click();
  await page.waitForFunction(() => plait.live.state.gravity === 1);
  await page.keyboard.press('r'); // after a click on a button
  await page.waitForFunction(() => /recording to/.test(plait.live.state.note)); // said once it is at the start again
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
  const { page, trouble, context } = await open(browser, (await serve('strands.hair')).url, small);
  assert.deepEqual(await page.evaluate(() => [plait.info.fibres, plait.player.times.length]), [3, 1]);
  await until('something is drawn', () => page.evaluate(() => { const p = plait.stage.pixels(); let n = 0; for (let i = 0; i < p.length; i += 4) n += p[i] > 90; return n > 50; }));
  await accessible(page, 'strands');
  assert.deepEqual(trouble, []);
  await context.close();
}

async function beside(browser) {
  const ready = () => [0, 1].every((i) => window.beside?.page(i)?.ready);
  const { page, trouble, context } = await open(browser, (await serve('first', 'second')).url, { width: 1000, ready });
  const [a, b] = [page.frame({ url: /\/a\// }), page.frame({ url: /\/b\// })];
  assert.deepEqual([await a.locator('#name').innerText(), await b.locator('#name').innerText()], ['first', 'second']); // the same scene
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
  stop();
}
