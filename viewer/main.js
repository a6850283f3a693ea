// main.js: puts the page together: what the server has, the stage, the controls, and the time.
import { Bodies } from './bodies.js';
import { Contacts } from './contacts.js';
import { Frames } from './frames.js';
import { Live } from './live.js';
import { MANY, Pace } from './pace.js';
import { Picked, pickNode } from './pick.js';
import { drawMap, modes, number } from './palette.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { Film, readAddress, savePicture, writeAddress } from './share.js';
import { Stage } from './stage.js';
import { Strands } from './strands.js';
import { Meter, Mover, pickCollider, pin } from './tools.js';
import { decodeRods, getBytes, getJson, littleEndian } from './wire.js';

const $ = (id) => document.getElementById(id);
const PANEL = 316; // [px] that the panel covers
const isNarrow = () => window.innerWidth < 640; // a phone: the panel is a sheet over the picture
const PLAY = 'M4 2.5v11l9-5.5z', PAUSE = 'M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z';

let info, stage, strands, pace, bodies, contacts, plots, live = null, player = null, frames = null;
let current = null, home = null, rods = null, picked = null, film = null, mover = null;
const meter = new Meter();
const hidden = new Set(); // groups

function say(text) {
  $('message').textContent = text;
  $('message').hidden = !text;
}
const failed = (error) => { console.warn(error); say(error.message); };

// ---- a frame -----------------------------------------------------------------------------------------------------

function show(frame) {
  const first = !current;
  current = frame;
  strands.show(frame);
  bodies.show(frame);
  contacts.show(frame, home ? home.size : 1);
  if (first) {
    const lo = [...frame.lo], hi = [...frame.hi];
    if (info.nodes === 0) { lo.fill(Infinity); hi.fill(-Infinity); }
    bodies.extend(lo, hi);
    if (!(lo[0] <= hi[0])) { lo.fill(-0.5); hi.fill(0.5); }
    home = { lo, hi, size: Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]) };
    // From the side where the strands are, if they hang on something.
    const aside = [0, 1].map((k) => frame.lo[k] + frame.hi[k] - lo[k] - hi[k]);
    if (Math.hypot(...aside) > 0.1 * home.size) stage.orbit.azimuth = Math.atan2(aside[1], aside[0]) - 0.7;
    bodies.makeGround(lo, hi);
    bodies.show(frame);
    contacts.show(frame, home.size);
    stage.frame(lo, hi);
  }
  if (live) stage.showHands(live.hands, frame);
  showPicked();
  legend();
  stage.dirty = true;
}

function legend() {
  const { title, unit, map } = modes[strands.mode], [lo, hi] = strands.range;
  $('legend').hidden = !map;
  if (!map) return;
  const percent = strands.mode === 'stretch', text = (v) => percent ? `${number(100 * v)} %` : `${number(v)}`;
  $('legend-title').textContent = unit ? `${title} [${unit}]` : title;
  $('legend-low').textContent = text(lo);
  $('legend-high').textContent = text(hi);
}

// ---- controls ----------------------------------------------------------------------------------------------------

function setPanel(open) {
  document.body.classList.toggle('no-panel', !open);
  $('toggle-panel').setAttribute('aria-expanded', open);
  $('panel').inert = !open; // nothing in it takes the focus while it is away
  stage.resize(open && !isNarrow() ? PANEL : 0, open && isNarrow() ? $('panel').offsetHeight : 0);
}
const togglePanel = () => setPanel(document.body.classList.contains('no-panel'));

function changeColour() {
  const mode = $('colour').value;
  strands.setMode(mode);
  if (modes[mode].map) drawMap($('legend-bar'), modes[mode].map);
  if (live) live.send(`colour ${mode}`);
  else { frames.colour = mode; player.reload(); }
  legend();
}

function changeContacts() {
  contacts.wanted = { points: $('show-points').checked, arrows: $('show-arrows').checked, bonds: $('show-bonds').checked };
  $('contact-key').hidden = !contacts.active;
  if (contacts.active && !info.contacts) say('this run was written without contacts (output.contacts: true in the scene)');
  else say('');
  if (live) live.send(`contacts ${contacts.active ? 1 : 0}`);
  else { frames.contacts = contacts.active; player.reload(); }
  if (current) contacts.show(current, home.size);
  stage.dirty = true;
}

function changeWidth() {
  const scale = 10 ** +$('width').value;
  strands.material.uniforms.widthScale.value = scale;
  $('width-value').textContent = `${number(+scale.toPrecision(2))}×`;
  stage.dirty = true;
}

// ---- strands and groups ------------------------------------------------------------------------------------------

function showPicked() {
  const rows = picked.show(current);
  $('picked').hidden = !rows;
  if (rows) $('picked-list').replaceChildren(...rows.flatMap(([name, value]) => {
    const dt = document.createElement('dt'), dd = document.createElement('dd');
    [dt.textContent, dd.textContent] = [name, value];
    return [dt, dd];
  }));
  stage.dirty = true;
}

const isHidden = (node) => hidden.size > 0 && hidden.has(rods.group[picked.rodOf(node)]);

// A click is a press and a release at one place.
function wirePicking() {
  const canvas = stage.canvas;
  let down = null;
  canvas.addEventListener('pointerdown', (e) => { down = e.button === 0 ? [e.clientX, e.clientY] : null; }, true);
  canvas.addEventListener('pointerup', (e) => {
    if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
    picked.choose(pickNode(current, stage.camera, e.offsetX, e.offsetY, canvas.clientWidth, canvas.clientHeight, isHidden));
    showPicked();
  });
}

function hideGroups() {
  strands.hide(rods, hidden);
  for (const box of $('group-list').querySelectorAll('input')) box.checked = !hidden.has(+box.value);
  if (picked.node >= 0 && isHidden(picked.node)) { picked.choose(-1); showPicked(); }
  stage.dirty = true;
}

function wireGroups() {
  const names = info.groups || [];
  $('groups').hidden = names.length < 2;
  names.forEach((name, i) => {
    const label = document.createElement('label'), box = document.createElement('input');
    Object.assign(box, { type: 'checkbox', checked: true, value: i });
    box.addEventListener('change', () => { if (box.checked) hidden.delete(i); else hidden.add(i); hideGroups(); });
    label.append(box, ` ${name}`);
    $('group-list').append(label);
  });
}

// ---- what leaves the page ----------------------------------------------------------------------------------------

const fileName = (ending) => `${info.name || 'plait'}${player ? `-${String(player.at).padStart(4, '0')}` : ''}.${ending}`;

function toggleFilm() {
  if (film.running) film.stop();
  else try { film.start(fileName('webm')); } catch (error) { say(`this browser records no films: ${error.message}`); }
}

function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen().catch((error) => say(`no full screen: ${error.message}`));
}

// Everything that differs from how the page begins.
const boxes = { points: 'show-points', arrows: 'show-arrows', bonds: 'show-bonds', bodies: 'show-bodies', ground: 'show-ground' };
function remember() {
  const values = {};
  if (player && player.wanted > 0) values.frame = player.wanted;
  if ($('colour').value !== 'rod') values.colour = $('colour').value;
  if (+$('width').value !== 0) values.width = $('width').value;
  if (live && $('tool').value !== 'pull') values.tool = $('tool').value;
  if ($('speed').value !== '1') values.speed = $('speed').value;
  for (const [key, id] of Object.entries(boxes)) if ($(id).checked !== $(id).defaultChecked) values[key] = +$(id).checked;
  if (hidden.size) values.hide = [...hidden].join(',');
  if (document.body.classList.contains('no-panel') !== isNarrow()) values.panel = +!document.body.classList.contains('no-panel');
  const camera = stage.orbit.state.map((v) => +v.toPrecision(6)).join(',');
  if (camera !== remember.start) values.camera = camera;
  writeAddress(values);
}

// Once the first frame is there.
function recall() {
  remember.start = stage.orbit.state.map((v) => +v.toPrecision(6)).join(',');
  const values = readAddress(), fire = (id, kind) => $(id).dispatchEvent(new Event(kind));
  for (const [key, id] of Object.entries(boxes)) if (values.has(key)) { $(id).checked = values.get(key) === '1'; fire(id, 'change'); }
  for (const [key, kind] of [['colour', 'change'], ['width', 'input'], ['speed', 'change'], ['tool', 'change']])
    if (values.has(key)) { const before = $(key).value; $(key).value = values.get(key); if ($(key).value) fire(key, kind); else $(key).value = before; }
  if (values.has('hide')) { for (const g of values.get('hide').split(',')) if (+g < (info.groups || []).length) hidden.add(+g); hideGroups(); }
  if (values.has('panel')) setPanel(values.get('panel') === '1');
  const camera = (values.get('camera') || '').split(',').map(Number);
  if (camera.length === 6 && camera.every(Number.isFinite)) stage.orbit.state = camera;
  if (player && values.has('frame')) player.go(+values.get('frame') || 0);
  setInterval(remember, 400);
}

function wireShare() {
  film = new Film(stage, () => { $('film').setAttribute('aria-pressed', film.running); });
  $('picture').addEventListener('click', () => { pace.leave(stage); pace.draw(1); savePicture(stage, fileName('png')); });
  $('film').addEventListener('click', toggleFilm);
  $('full').addEventListener('click', toggleFull);
  $('help').addEventListener('click', () => $('help-text').showModal());
  for (const button of document.querySelectorAll('[data-view]')) button.addEventListener('click', () => stage.orbit.look(button.dataset.view));
}

// Does a key mean something to the part of the page that has the focus? Who walks to a button with Tab and presses space means that button.
function uses(part, key) {
  if (part.matches('button, input[type=checkbox]')) return key === ' ';
  if (part.matches('input[type=range]')) return key.startsWith('Arrow');
  return part.matches('select, input');
}

function wireLook() {
  $('colour').addEventListener('change', changeColour);
  $('width').addEventListener('input', changeWidth);
  $('show-points').addEventListener('change', changeContacts);
  $('show-arrows').addEventListener('change', changeContacts);
  $('show-bonds').addEventListener('change', changeContacts);
  $('show-bodies').addEventListener('change', (e) => { bodies.group.visible = e.target.checked; stage.dirty = true; });
  $('show-ground').addEventListener('change', (e) => { bodies.ground.visible = e.target.checked; stage.dirty = true; });
  $('home').addEventListener('click', () => home && stage.frame(home.lo, home.hi));
  $('toggle-panel').addEventListener('click', togglePanel);
  const keys = { ' ': () => $('play').click(), '.': () => $('step').click(), f: () => $('home').click(), p: togglePanel,
    ArrowRight: () => player && player.go(player.wanted + 1), ArrowLeft: () => player && player.go(player.wanted - 1),
    k: () => live && $('keep').click(), r: () => live && $('record').click(), t: () => live && nextTool(), c: () => $('picture').click(), v: () => $('film').click(), x: () => $('full').click(), '?': () => $('help').click() };
  ['front', 'back', 'left', 'right', 'top'].forEach((side, i) => { keys[i + 1] = () => stage.orbit.look(side); });
  // Who uses the mouse goes on with keys that are meant for the page, not for what was clicked last.
  const letGo = () => { if (document.activeElement.matches('button, input')) document.activeElement.blur(); };
  window.addEventListener('pointerup', () => { letGo(); setTimeout(letGo); }); // at once; labels hand the focus on after the click
  document.addEventListener('change', (e) => { if (e.target.matches('select')) e.target.blur(); });
  window.addEventListener('keydown', (e) => {
    const key = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!key || e.ctrlKey || e.metaKey || e.altKey || uses(e.target, e.key) || $('help-text').open) return;
    e.preventDefault();
    key();
  });
}

// ---- a run on disk -----------------------------------------------------------------------------------------------

async function startRun() {
  frames = new Frames(failed);
  player = new Player(frames, show, moved);
  $('play').addEventListener('click', () => player.play(!player.playing));
  $('step').addEventListener('click', () => { player.play(false); player.go(player.wanted === player.last ? 0 : player.wanted + 1); });
  $('time').addEventListener('input', () => { player.playing = false; player.go(+$('time').value); });
  $('speed').addEventListener('change', () => { player.speed = +$('speed').value; });
  plots = new Plots($('plots'), (t) => { player.playing = false; player.go(player.find(t)); });
  await player.refresh();
  await Promise.all([player.times.length ? player.go(0) : null, loadStats()]);
  if (player.times.length === 0) say('there is no frame yet');
  setInterval(async () => { // it may still be written
    try {
      if (!await player.refresh()) return;
      if (!current) { say(''); await player.go(0); }
      await loadStats();
    } catch (error) { failed(error); }
  }, 2000);
}

async function loadStats() {
  const data = await getJson('api/stats'), end = player.times[player.last] || 0;
  $('plots').hidden = data.time.length === 0;
  plots.set(data, [player.times[0] || 0, Math.max(end, data.time[data.time.length - 1] || 0)]);
}

function moved() {
  const t = player.times[player.wanted] || 0;
  $('time').max = Math.max(0, player.last);
  $('time').value = player.wanted;
  $('clock').textContent = `${t.toFixed(3)} s · ${player.wanted + 1} / ${player.times.length}`;
  $('play-icon').setAttribute('d', player.playing ? PAUSE : PLAY);
  plots.cursor(t);
}

// ---- a live simulation -------------------------------------------------------------------------------------------

function startLive() {
  document.body.classList.add('live');
  $('live-panel').hidden = $('reset').hidden = false;
  plots = new Plots($('plots'), () => {});
  live = new Live({
    open: () => { say(''); live.send(`colour ${strands.mode}`); live.send(`contacts ${contacts.active ? 1 : 0}`); },
    state: liveState, frame: show, closed: say,
  });
  let drawn = 0;
  setInterval(() => { if (plots.data.time.length !== drawn || !live.state.paused) { drawn = plots.data.time.length; plots.draw(); } }, 200);
  $('play').addEventListener('click', () => live.send(live.state.paused ? 'play' : 'pause'));
  $('step').addEventListener('click', () => live.send('step'));
  $('reset').addEventListener('click', () => { live.dropAll(); live.send('reset'); });
  $('speed').addEventListener('change', () => live.send(`speed ${$('speed').value}`));
  $('drop').addEventListener('click', () => live.dropAll());
  $('record').addEventListener('click', () => live.send(live.state.recording ? 'stop' : 'record'));
  mover = new Mover(live);
  wireHands();
  wireKnobs();
}

// Sliders that change the simulation. Those of stiffness and damping go by powers of ten.
const knobs = () => [...document.querySelectorAll('[data-tune]')];
const knobValue = (knob) => 'log' in knob.dataset ? +(10 ** +knob.value).toPrecision(3) : +knob.value;
const knobText = (knob, value) => { knob.parentElement.querySelector('output').textContent = knob.dataset.tune === 'wind' ? number(value) : `${number(value)}×`; };

function wireKnobs() {
  for (const knob of knobs()) knob.addEventListener('input', () => {
    knobText(knob, knobValue(knob));
    live.send(`tune ${knob.dataset.tune} ${knobValue(knob)}`);
  });
  $('untune').addEventListener('click', () => { for (const knob of knobs()) { knob.value = knob.defaultValue; knob.dispatchEvent(new Event('input')); } });
}

// What others have set, too; not while this one is being moved.
function showKnobs(s) {
  for (const knob of knobs()) {
    if (document.activeElement === knob) continue;
    knob.value = 'log' in knob.dataset ? Math.log10(Math.max(1e-9, s[knob.dataset.tune])) : s[knob.dataset.tune];
    knobText(knob, s[knob.dataset.tune]);
  }
}

function nextTool() {
  $('tool').selectedIndex = ($('tool').selectedIndex + 1) % $('tool').options.length;
}

function liveState(s) {
  showKnobs(s);
  $('record').setAttribute('aria-pressed', s.recording);
  $('record').textContent = s.recording ? 'stop recording' : 'record a run';
  if (s.message) { say(s.message); live.hands.clear(); live.drag = null; } else if (s.note !== liveState.note) { liveState.note = s.note; say(s.note); setTimeout(() => { if ($('message').textContent === s.note) say(''); }, 6000); }
  else if (!$('message').hidden && $('message').textContent !== s.note) say('');
  $('play-icon').setAttribute('d', s.paused ? PLAY : PAUSE);
  $('clock').textContent = `${s.time.toFixed(3)} s · step ${s.step}`;
  $('live-rate').textContent = s.paused ? 'paused' : `${number(s.rate)} simulated s per s`;
  $('live-contacts').textContent = s.contacts;
  $('live-residual').textContent = s.residual_rel === null ? '–' : number(s.residual_rel);
  $('live-dt').textContent = `${number(1000 * s.dt)} ms, ${s.iterations} iterations`;
  if (s.step > 0) plots.add(s, 5);
}

// The left button grabs a strand if one is under it; everything else is left to the camera.
function wireHands() {
  const canvas = stage.canvas, where = (e) => [2 * e.offsetX / canvas.clientWidth - 1, 1 - 2 * e.offsetY / canvas.clientHeight];
  const pick = (e) => live.pick(stage.camera, e.offsetX, e.offsetY, canvas.clientWidth, canvas.clientHeight, isHidden);
  const tool = () => $('tool').value;
  canvas.addEventListener('pointerdown', (e) => {
    if (e.button !== 0 || e.shiftKey) return;
    if (tool() === 'move') {
      const hit = pickCollider(bodies, stage.camera, ...where(e));
      if (!hit) return;
      e.preventDefault();
      canvas.setPointerCapture(e.pointerId);
      mover.take(hit, current, stage.camera);
      return;
    }
    const node = pick(e);
    if (node < 0) return;
    if (tool() === 'cut' || tool() === 'pin') {
      e.preventDefault();
      if (tool() === 'cut') live.send(`cut ${node}`);
      else if (pin(live, node, stage.camera) === 'full') say('eight strands are held already');
      return;
    }
    for (const [hand, { node: held }] of live.hands) if (Math.abs(held - node) <= 1) live.drop(hand); // taken up again
    if (!live.grab(node, stage.camera)) return;
    e.preventDefault();
    canvas.setPointerCapture(e.pointerId);
    [live.drag.x, live.drag.y] = where(e);
  }, true);
  canvas.addEventListener('pointermove', (e) => {
    if (mover.held) mover.move(stage.camera, ...where(e));
    else if (live.drag) live.move(stage.camera, ...where(e));
    else if (e.buttons === 0 && info.nodes < 50000) canvas.classList.toggle('pick', pick(e) >= 0);
  });
  canvas.addEventListener('pointerup', () => { mover.release(); live.release($('keep').checked); });
  canvas.addEventListener('pointercancel', () => { mover.release(); live.release(false); });
  canvas.addEventListener('wheel', (e) => {
    if (!live.drag) return;
    e.preventDefault();
    live.nearer(stage.camera, Math.exp(Math.max(-120, Math.min(120, e.deltaY)) * 0.0008));
  }, { capture: true, passive: false });
}

// ---- start -------------------------------------------------------------------------------------------------------

function loop() {
  let last = performance.now(), before = false;
  const turn = (now) => {
    if (player) player.tick((now - last) / 1000);
    last = now;
    const drawn = stage.dirty;
    if (drawn) { pace.before(now, before, stage); stage.draw(); meter.add(now); } else if (!film?.running) pace.rests(now, stage);
    before = drawn;
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
  setInterval(() => { meter.add(performance.now()); meter.times.pop(); $('fps').textContent = `${meter.fps ? `· ${meter.fps} fps` : ''}${pace.text}`; }, 500);
}

async function start() {
  if (!littleEndian) throw new Error('this page needs a little-endian machine');
  info = await getJson('api/info');
  const name = info.run || info.name || 'Plait';
  document.title = `${name} – Plait`;
  $('name').textContent = name;
  const many = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
  $('counts').textContent = [many(info.fibres, 'rod'), many(info.nodes, 'node'), ...(info.live ? ['live'] : [])].join(' · ');
  rods = decodeRods(await getBytes('api/rods'));
  stage = new Stage($('stage'), rods.nodes > MANY);
  strands = new Strands(rods);
  pace = new Pace(strands, rods.nodes);
  picked = new Picked(rods, info.groups || []);
  bodies = new Bodies(info);
  contacts = new Contacts();
  await bodies.load();
  stage.scene.add(bodies.ground, bodies.group, strands.mesh, contacts.group, picked.line);
  stage.followers.push(strands.material.uniforms.focal, contacts.uniforms.focal);
  setPanel(!isNarrow());
  wireLook();
  wireShare();
  wireGroups();
  wirePicking();
  if (info.live) startLive();
  else await startRun();
  loop();
  const wait = setInterval(() => { if (home) { clearInterval(wait); recall(); window.plait.ready = true; } }, 20);
  window.plait = { ready: false, info, stage, strands, contacts, bodies, plots, player, live, picked, hidden, film, meter, mover, pace, get frame() { return current; } };
}

start().catch(failed);
