# long_knots.sh: pull-out of overhand knots of n turns at three frictions, by a sweep. For n = 1 the force is on a line,
# F R^2 / B = x0 + sigma mu sqrt(R / h) with e = 2 pi R; sigma grows nearly as n^3 (docs/research.md has the figures).
source "$PLAIT_SOURCE/test/cli/lib.bash"
export OMP_NUM_THREADS=1
cp "$PLAIT_SOURCE"/examples/research/knot*.yaml .
expect 0 "$PLAIT" sweep knots.yaml -j 2 -o knots
python3 - <<'PYTHON' || fail "knots do not scale"
import csv, math, statistics
B, h, length = 1e7 * math.pi * 1e-12 / 4, 1e-3, 0.8
sigma, radius = [], []
for n in range(3):
    points = []
    for m, mu in enumerate((0.05, 0.1, 0.2)):
        rows = list(csv.DictReader(open(f"knots/{3 * n + m:04d}/measure.csv")))
        rows = [r for r in rows if float(r["time"]) > 40]
        R = statistics.mean(length - float(r["ends"]) for r in rows) / (2 * math.pi)
        F = statistics.median(float(r["hand_fx"]) for r in rows)
        points.append((mu * math.sqrt(R / h), F * R * R / B))
    mx, my = (statistics.mean(p[k] for p in points) for k in (0, 1))
    slope = sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, y in points)
    left = max(abs(y - my - slope * (x - mx)) / y for x, y in points)
    print(f"n = {n + 1}: x0 {my - slope * mx:.3f}, sigma {slope:.3f}, off the line {left:.3f}", points)
    assert slope > 0 and (n > 0 or left < 0.1)
    sigma.append([y for x, y in points]), radius.append(R)
for n, expected in enumerate(((0.91, 1.24, 2.04), (3.04, 5.75, 12.02), (7.98, 16.56, 36.22))):
    for y, found in zip(expected, sigma[n]):
        assert abs(found - y) < 0.05 * y, (n + 1, found, y)
for n in (2, 3):
    power = math.log((sigma[n - 1][1] - (0.89, 1.63)[n - 2]) / (sigma[0][1] - 0.58)) / math.log(n)
    print(f"what friction adds, n = {n} against 1: n^{power:.2f}")
    assert 2.6 < power < 3

# Jawed et al. (2015): long braids whose friction is far above the pull of the loop, n^2 F h^2 / (mu B) over n^2 h / e.
def integrals(m):  # complete elliptic, by the arithmetic-geometric mean
    a, b, power, sum_ = 1.0, math.sqrt(1 - m), 0.5, 0.5 * m
    for _ in range(30):
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        power *= 2
        sum_ += power * c * c
    return math.pi / (2 * a), math.pi / (2 * a) * (1 - sum_)

def theory(n, mu, R):  # F R^2 / B
    low, high = 1e-9, 1 - 1e-12
    for _ in range(100):
        m = (low + high) / 2
        K, E = integrals(m)
        x = 8 * (K - E) / m - 4 * K
        near = x * x / (x + 4 * K) / (8 * math.sqrt(3) * math.pi**2) < n * n * h / (2 * math.pi * R)
        low, high = (m, high) if near else (low, m)
    return mu * x**3 / (96 * math.sqrt(3) * math.pi**2) * R * R / (h * h * n * n)

for n, least in ((2, 0.75), (3, 0.85)):
    for mu, found in zip((0.05, 0.1, 0.2), sigma[n - 1]):
        ratio = found / theory(n, mu, radius[n - 1])
        print(f"n = {n}, mu = {mu}: {ratio:.3f} of the theory")
        assert least < ratio < 1.05
assert all(a < b for low, high in zip(sigma, sigma[1:]) for a, b in zip(low, high))
PYTHON
