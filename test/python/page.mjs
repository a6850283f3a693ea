// page.mjs MODULES PAGE: opens a page with a page inside as a notebook has it, says what the inner one shows.
import { createRequire } from 'module';

const [modules, page] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/x.js`)('playwright-core');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const tab = await browser.newPage({ viewport: { width: 1000, height: 520 } });
const wrong = [];
tab.on('pageerror', (error) => wrong.push(error.message));
tab.on('request', (request) => { if (!/^(file|about|data|blob):/.test(request.url())) wrong.push(`asks for ${request.url()}`); });
await tab.goto(`file://${page}`);
const inner = tab.frames()[1];
await inner.waitForFunction(() => window.plait && window.plait.frame, null, { timeout: 300000 });
const text = await inner.evaluate(async () => {
  const start = `${document.getElementById('counts').textContent} | ${document.getElementById('clock').textContent}`;
  await window.plait.player.go(3);
  document.getElementById('colour').value = 'speed';
  document.getElementById('colour').dispatchEvent(new Event('change'));
  return `${start} | frame 3 at ${+window.plait.frame.time.toFixed(6)}`;
});
console.log(text);
await browser.close();
if (wrong.length) { console.log(wrong.join('\n')); process.exit(1); }
