// speed.mjs BROWSER FILE [PICTURE]: opens strands, a scene or a run with `plait view` (PLAIT) and turns it: how many pictures a second,
// with which renderer, and what depends on no renderer: draw calls, triangles, bytes on the card, milliseconds of JavaScript per picture.
// A line of JSON comes out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const [program, file, picture] = process.argv.slice(2);
const server = spawn(process.env.PLAIT, ['view', '--port', '0', file], { stdio: ['ignore', 'pipe', 'inherit'] });
const [url] = await once(createInterface({ input: server.stdout }), 'line');
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--enable-unsafe-swiftshader'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(300000); // a busy machine is no mistake
  const opened = Date.now();
  await page.goto(url);
  await page.waitForFunction(() => window.plait?.frame && plait.strands.mesh.visible, null);
  const first = (Date.now() - opened) / 1000;
  const found = await page.evaluate(async () => {
    const { stage, strands, info, meter } = plait, { renderer } = stage, gl = renderer.getContext();
    const name = gl.getExtension('WEBGL_debug_renderer_info');
    let script = 0, count = 0;
    const draw = stage.draw.bind(stage), one = new Uint8Array(4);
    stage.draw = () => { const t = performance.now(); draw(); script += performance.now() - t; count++; };
    const turn = async (time) => { // a little for every picture
      const begin = performance.now();
      script = count = 0;
      while (count < 5 || performance.now() - begin < time) {
        stage.orbit.state = stage.orbit.state.map((v, i) => (i === 0 ? v + 0.02 : v));
        stage.dirty = true;
        await new Promise(requestAnimationFrame);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one); // the picture is done, not only asked for
      }
      return (performance.now() - begin) / 1000;
    };
    await turn(4000); // until it has its pace
    const seconds = await turn(5000), share = plait.pace.shown, fps = document.getElementById('fps').textContent, u = strands.material.uniforms;
    const rest = performance.now();
    while (plait.pace.shown < 1 && performance.now() - rest < 60000) await new Promise(requestAnimationFrame);
    const all = performance.now() - rest;
    plait.pace.draw(1);
    const t = performance.now();
    draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one);
    const whole = performance.now() - t;
    const texels = [u.nodeMap, u.flagMap, u.rodMap].reduce((sum, { value: { image } }) => sum + image.data.byteLength, 0);
    return {
      strands: info.fibres, nodes: info.nodes, renderer: gl.getParameter(name ? name.UNMASKED_RENDERER_WEBGL : gl.RENDERER),
      pictures_per_second: count / seconds, told: fps, share_while_moving: share, script_ms: script / count, all_drawn_at_rest_ms: all, whole_picture_ms: whole, calls: renderer.info.render.calls,
      triangles: renderer.info.render.triangles, bytes: texels + 4 * strands.mesh.geometry.index.count,
    };
  });
  if (picture) await page.screenshot({ path: picture });
  console.log(JSON.stringify({ seconds_to_first_picture: first, ...found }));
} finally {
  await browser.close();
  server.kill();
}
