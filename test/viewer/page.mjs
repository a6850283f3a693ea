// page.mjs: what the tests in a browser share. A machine may be so busy that a picture takes seconds: nothing here waits for a time, and what an
// action leads to is waited for.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const children = [];

// plait view WORDS; its address, and the process.
export async function serve(...words) {
  const child = spawn(process.env.PLAIT, ['view', '--port', '0', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
  return { url, child };
}

export function stop() { for (const child of children) if (child.exitCode === null) child.kill('SIGKILL'); }

// A browser drops what is typed before it has shown its first picture: a key without a meaning is pressed until it is heard.
async function awake(page) {
  await page.evaluate(() => { window.heard = 0; addEventListener('keydown', (e) => { if (e.key === 'Shift') window.heard++; }); });
  await until('keys are heard', async () => { await page.keyboard.press('Shift'); return page.evaluate(() => window.heard > 0); });
}

// A page that is ready for its visitor, and everything that went wrong on it. `more`: of the browser's context.
export async function open(browser, url, { width = 720, height = 460, ready = () => window.plait?.ready, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...more });
  const page = await context.newPage(), trouble = [];
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type()) && !/GPU stall|swiftshader/i.test(m.text())) trouble.push(m.text()); });
  page.on('pageerror', (e) => trouble.push(e.message));
  page.setDefaultTimeout(300000); // a busy machine is no mistake
  await page.goto(url);
  await page.waitForFunction(ready);
  await awake(page);
  return { page, trouble, context };
}

// Asks until the answer is true; `told` says what there is instead.
export async function until(what, ask, told = () => '') {
  for (const end = Date.now() + 300000; !await ask();) {
    assert.ok(Date.now() < end, `${what}: ${await told()}`);
    await new Promise((done) => { setTimeout(done, 50); });
  }
}

export const visible = (page, selector) => page.locator(selector).waitFor({ state: 'visible' });
export const hidden = (page, selector) => page.locator(selector).waitFor({ state: 'hidden' });

export async function accessible(page, what) {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  const serious = found.violations.filter((v) => ['serious', 'critical'].includes(v.impact))
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`);
  assert.deepEqual(serious, [], what);
}

// Where a node of a strand is: share 0 .. 1 along it; on the screen, or in the world. What is on the screen is drawn first: a camera that has
// been moved is the picture's only then.
export const spot = (page, rod, share, world = false) => page.evaluate(([r, s, w]) => {
  plait.stage.draw();
  const f = plait.frame, { first } = plait.picked.rods, i = first[r] + Math.round(s * (first[r + 1] - 1 - first[r]));
  const p = [0, 1, 2].map((k) => f.lo[k] + (f.hi[k] - f.lo[k]) * f.node[4 * i + k] / 65535);
  if (w) return p;
  const q = new THREE.Vector3(...p).project(plait.stage.camera);
  return [(0.5 + 0.5 * q.x) * innerWidth, (0.5 - 0.5 * q.y) * innerHeight];
}, [rod, share, world]);
