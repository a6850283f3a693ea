// plots.js: small charts of what each step did, with a cursor at the time that is shown. A click goes to that time.
import { number } from './palette.js';

const colours = ['#e0a458', '#6fb7c4', '#b78fd6', '#8fc27a', '#e0705f', '#7f95d8', '#c9c27a'];
const stages = ['predict', 'detect', 'assemble', 'solve', 'correct', 'accept', 'observe'];

const charts = [
  { title: 'contacts', series: ['contacts'] },
  { title: 'residual', series: ['residual_rel'], log: true },
  { title: 'iterations', series: ['iterations'] },
  { title: 'contacts that', series: ['sticking', 'sliding'], names: ['stick', 'slide'], stacked: true },
  { title: 'creep of what sticks [m/s]', series: ['creep'], log: true },
  { title: 'momentum out of balance', series: ['balance'], log: true },
  { title: 'deepest overlap / diameter', series: ['overlap'] },
  { title: 'energy [J]', series: ['kinetic', 'elastic', 'potential', 'dissipated'], names: ['kinetic', 'elastic', 'potential', 'friction'], relative: ['potential'] },
  { title: 'seconds per step', series: stages.map((s) => `seconds_${s}`), names: stages, stacked: true },
];

class Chart {
  constructor(chart, parent, seek) {
    this.chart = chart;
    const figure = document.createElement('figure');
    figure.className = 'plot';
    figure.innerHTML = '<figcaption><span></span><b></b></figcaption><canvas></canvas>';
    figure.querySelector('span').textContent = chart.title;
    this.value = figure.querySelector('b');
    this.canvas = figure.querySelector('canvas');
    if (chart.names) {
      const key = document.createElement('div');
      key.className = 'key';
      chart.names.forEach((name, i) => {
        const item = document.createElement('span'), dot = document.createElement('i');
        dot.style.background = colours[i];
        item.append(dot, name);
        key.append(item);
      });
      figure.append(key);
    }
    parent.append(figure);
    const at = (e) => { if (e.buttons & 1 && this.span) seek(this.span[0] + (this.span[1] - this.span[0]) * e.offsetX / this.canvas.clientWidth); };
    this.canvas.addEventListener('pointerdown', at);
    this.canvas.addEventListener('pointermove', at);
    this.base = document.createElement('canvas');
  }

  curves(data) {
    const { series, stacked, relative = [] } = this.chart, count = data.time.length;
    let below = new Float64Array(count);
    return series.map((name) => {
      const from = data[name] || [], zero = relative.includes(name) ? from[0] || 0 : 0;
      const y = Float64Array.from({ length: count }, (_, i) => (from[i] || 0) - zero + (stacked ? below[i] : 0));
      if (stacked) below = y;
      return y;
    });
  }

  update(data, span) {
    const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth * ratio, height = this.canvas.clientHeight * ratio;
    if (width === 0) return;
    for (const c of [this.canvas, this.base]) { c.width = width; c.height = height; }
    this.data = data;
    this.span = span;
    const pen = this.base.getContext('2d'), { log, stacked } = this.chart, curves = this.curves(data);
    pen.fillStyle = 'rgba(255,255,255,0.035)';
    pen.fillRect(0, 0, width, height);
    let lo = log ? Infinity : 0, hi = log ? -Infinity : 0;
    for (const y of curves) for (const v of y) {
      if (log && v <= 0) continue;
      lo = Math.min(lo, log ? Math.log10(v) : v);
      hi = Math.max(hi, log ? Math.log10(v) : v);
    }
    if (!(hi > lo)) { hi = Number.isFinite(hi) ? hi + 1 : 1; lo = Number.isFinite(lo) ? lo - (log ? 1 : 0) : 0; }
    const pad = 4 * ratio, X = (t) => (t - span[0]) / (span[1] - span[0]) * width;
    const Y = (v) => height - pad - ((log ? Math.log10(v) : v) - lo) / (hi - lo) * (height - 2 * pad);
    const order = stacked ? [...curves.keys()].reverse() : [...curves.keys()];
    for (const k of order) {
      pen.beginPath();
      let started = false;
      curves[k].forEach((v, i) => {
        if (log && v <= 0) { started = false; return; }
        if (started) pen.lineTo(X(data.time[i]), Y(v));
        else pen.moveTo(X(data.time[i]), Y(v));
        started = true;
      });
      if (stacked && data.time.length) {
        pen.lineTo(X(data.time[data.time.length - 1]), Y(0));
        pen.lineTo(X(data.time[0]), Y(0));
        pen.fillStyle = colours[k];
        pen.fill();
      } else {
        pen.strokeStyle = colours[k];
        pen.lineWidth = 1.3 * ratio;
        pen.lineJoin = 'round';
        pen.stroke();
      }
    }
    pen.fillStyle = '#96a0ac';
    pen.font = `${10 * ratio}px system-ui, sans-serif`;
    pen.textBaseline = 'top';
    pen.fillText(number(log ? 10 ** hi : hi), 3 * ratio, 2 * ratio);
    this.cursor(this.time);
  }

  cursor(time) {
    this.time = time;
    if (!this.span) return;
    const pen = this.canvas.getContext('2d'), { width, height } = this.canvas;
    pen.clearRect(0, 0, width, height);
    pen.drawImage(this.base, 0, 0);
    if (time === undefined) return;
    const x = Math.min(width - 1, Math.max(0, (time - this.span[0]) / (this.span[1] - this.span[0]) * width));
    pen.fillStyle = 'rgba(255,255,255,0.75)';
    pen.fillRect(x, 0, Math.max(1, width / 300), height);
    this.value.textContent = this.read(time);
  }

  // What the chart says at that time.
  read(time) {
    const { time: t } = this.data, { series, stacked } = this.chart;
    if (t.length === 0) return '';
    let low = 0, high = t.length - 1;
    while (low < high) { const m = (low + high) >> 1; if (t[m] < time - 1e-12) low = m + 1; else high = m; }
    if (series.length > 1 && !stacked) return '';
    return number(series.reduce((sum, name) => sum + (this.data[name]?.[low] || 0), 0));
  }
}

export class Plots {
  constructor(parent, seek) {
    this.charts = charts.map((chart) => new Chart(chart, parent, seek));
    this.data = { time: [] };
    this.names = charts.flatMap((chart) => chart.series);
    window.addEventListener('resize', () => this.draw());
  }

  set(data, span) {
    this.data = data;
    this.span = span;
    this.draw();
  }

  // Live: one more row; old ones go.
  add(row, seconds) {
    const d = this.data;
    if (d.time.length && row.time <= d.time[d.time.length - 1]) { if (row.time < d.time[d.time.length - 1]) this.data = { time: [] }; else return; }
    for (const name of ['time', ...this.names]) (this.data[name] = this.data[name] || []).push(row[name]);
    while (this.data.time[0] < row.time - seconds) for (const name of ['time', ...this.names]) this.data[name].shift();
    this.span = [Math.max(0, row.time - seconds), Math.max(row.time, seconds)];
  }

  draw() { if (this.span && this.span[1] > this.span[0]) this.charts.forEach((c) => c.update(this.data, this.span)); }
  cursor(time) { this.charts.forEach((c) => c.cursor(time)); }
}
