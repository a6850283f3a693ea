# export_soft_paraview.py RUN PVD: ParaView's own readers on cloth and solids: two meshes of the right sizes that move.
import sys
from paraview import servermanager
from paraview.simple import PVDReader, Xdmf3ReaderS
from paraview_leaves import leaves

run, pvd = sys.argv[1:]

for reader in Xdmf3ReaderS(FileName=[run + "/trajectory.xdmf"]), PVDReader(FileName=pvd):
    times, low = list(reader.TimestepValues), []
    assert len(times) == 4, times
    for t in times:
        reader.UpdatePipeline(t)
        parts = leaves(servermanager.Fetch(reader))
        cells = sum(p.GetNumberOfCells() for p in parts)
        assert cells >= 48 + 150, [(p.GetNumberOfPoints(), p.GetNumberOfCells()) for p in parts]
        soft = [p for p in parts if p.GetNumberOfCells() >= 48]
        low.append(max(p.GetBounds()[5] for p in soft))
    assert low[-1] < low[0] - 1e-4, low  # the ball falls
