# export_paraview.py RUN PVD NODES FIBRES FRAMES: ParaView's own readers on a run's trajectory.xdmf and on a .pvd.
import sys
from paraview import servermanager
from paraview.simple import PVDReader, Xdmf3ReaderS
from paraview_leaves import leaves

run, pvd, nodes, fibres, frames = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])

for reader in Xdmf3ReaderS(FileName=[run + "/trajectory.xdmf"]), PVDReader(FileName=pvd):
    times = list(reader.TimestepValues)
    assert len(times) == frames and times == sorted(times), times
    for t in times[0], times[-1]:
        reader.UpdatePipeline(t)
        parts = leaves(servermanager.Fetch(reader))
        lines = [p for p in parts if p.GetNumberOfPoints() == nodes and p.GetNumberOfCells() == fibres]
        assert len(lines) == 1, [(p.GetNumberOfPoints(), p.GetNumberOfCells()) for p in parts]
        assert lines[0].GetPointData().HasArray("velocity") and lines[0].GetCellData().HasArray("group")
