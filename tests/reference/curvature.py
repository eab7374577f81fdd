"""Makes curvature.tsv: the spectral norm of SCS's Hessian in one argument by PyTorch, in float64.

Columns: epsilon, norm, then x and z (as many numbers each).
"""
import torch

torch.manual_seed(1)


def scs(x, z, epsilon):
    return (x @ z) / ((x.norm() + epsilon) * (z.norm() + epsilon))


for epsilon in (0.0, 0.01, 0.2, 1.0, 3.0):
    for dimension in (1, 2, 3, 8):
        for scale in (0.05, 1.0):
            x = (scale * torch.randn(dimension)).double()
            z = torch.randn(dimension).double()
            hessian = torch.autograd.functional.hessian(lambda x: scs(x, z, epsilon), x)
            norm = torch.linalg.matrix_norm(hessian, ord=2)
            print(epsilon, norm.item(), *x.tolist(), *z.tolist(), sep="\t")
