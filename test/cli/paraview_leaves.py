# paraview_leaves.py: the data sets that a reader of ParaView gives, without the tree that they are in.


def leaves(data):
    if not data.IsA("vtkCompositeDataSet"):
        return [data]
    it = data.NewIterator()
    out = []
    while not it.IsDoneWithTraversal():
        out.append(it.GetCurrentDataObject())
        it.GoToNextItem()
    return out
